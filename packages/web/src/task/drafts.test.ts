import { describe, expect, it } from 'vitest';
import { restAfter } from './drafts.ts';

describe('restAfter', () => {
  it.each([
    ['nothing more was typed', 'Hello', 'Hello', ''],
    ['more was typed behind it', 'Hello and more', 'Hello', 'and more'],
    ['something else was typed instead', 'Bye', 'Hello', 'Bye'],
    ['the box was emptied', '', 'Hello', ''],
  ])('when %s', (_case, typed, sent, rest) => {
    expect(restAfter(typed, sent)).toBe(rest);
  });
});
