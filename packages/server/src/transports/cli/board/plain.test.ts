import { describe, expect, it } from 'vitest';
import { plain, plainLine } from './plain.ts';

describe('texts of agents on a terminal', () => {
  it.each([
    ['what begins a sequence', '\u001b[2Jhere', '[2Jhere'],
    ['what begins a sequence in one character', '\u009b2Jhere', '2Jhere'],
    ['what overwrites a line', 'rm -rf /\rls', 'rm -rf /ls'],
    ['what goes back', 'bad\b\b\bgood', 'badgood'],
  ])('lose %s', (_, text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  it('keep their lines and tabs', () => {
    expect(plain('a\r\n\tb')).toBe('a\n\tb');
  });

  it('are one line where one line is needed', () => {
    expect(plainLine('  a\n\tb ')).toBe('a b');
  });
});
