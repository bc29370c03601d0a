import { describe, expect, it } from 'vitest';
import { HUES, hueOf, initials, monogram } from './hue.ts';

describe('hueOf', () => {
  it('gives one id the same hue every time, and every hue to some id', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, at) => hueOf(`agent-${at}`)));
    expect([...seen].sort()).toEqual(Array.from({ length: HUES }, (_, at) => at + 1));
    expect(hueOf('atlas')).toBe(hueOf('atlas'));
  });

  it('spreads ids that differ in their last letter only', () => {
    expect(new Set(['a1', 'a2', 'a3', 'a4'].map(hueOf)).size).toBeGreaterThan(1);
  });
});

describe('monogram', () => {
  it.each([
    ['atlas', 'at'],
    ['Kite', 'ki'],
    ['review-bot', 'rb'],
    ['x', 'x'],
    ['𝔘nicode', '𝔘n'.toLowerCase()],
    ['  ', '?'],
  ])('of %j is %j', (name, letters) => {
    expect(monogram(name)).toBe(letters);
  });
});

describe('initials', () => {
  it.each([
    ['Ana Ruiz', 'AR'],
    ['Ana Maria de la Ruiz', 'AR'],
    ['sam', 'S'],
    ['', '?'],
  ])('of %j are %j', (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
});
