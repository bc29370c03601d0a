import { describe, expect, it } from 'vitest';
import { editIn, messageIn } from './entry-text.ts';

describe('a message to the agent', () => {
  it('is found in the words of the feed, with who said it', () => {
    const entry = { kind: 'status', text: 'A person to the agent: Use the helper.\nNot SQL.' } as const;

    expect(messageIn(entry)).toEqual({ who: 'A person', text: 'Use the helper.\nNot SQL.' });
  });

  it('is not found in what an agent says itself', () => {
    expect(messageIn({ kind: 'message', text: 'A person to the agent: no' })).toBeNull();
    expect(messageIn({ kind: 'status', text: 'failed: exit 3' })).toBeNull();
  });
});

describe('the file of an edit', () => {
  it('has its lines counted, with either minus', () => {
    expect(editIn('src/a.ts +11 −3')).toEqual({ path: 'src/a.ts', added: 11, removed: 3 });
    expect(editIn('src/a.ts +1 -0')).toEqual({ path: 'src/a.ts', added: 1, removed: 0 });
  });

  it('is not guessed', () => {
    expect(editIn('Write\n/etc/x')).toBeNull();
  });
});
