import { expect, it } from 'vitest';
import { matched, strokeOf } from './stroke.ts';

const press = (key: string, held: Partial<Record<'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey', true>> = {}) =>
  strokeOf({ key, metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, ...held });

it.each([
  ['c', {}, 'c'],
  ['?', { shiftKey: true }, '?'],
  ['J', { shiftKey: true }, 'shift+j'],
  ['k', { metaKey: true }, 'mod+k'],
  ['k', { ctrlKey: true }, 'mod+k'],
  ['Enter', { metaKey: true }, 'mod+enter'],
  ['Tab', { shiftKey: true }, 'shift+tab'],
  [' ', {}, 'space'],
] as const)('names the key %s with %o: %s', (key, held, stroke) => {
  expect(press(key, held)).toBe(stroke);
});

const BINDINGS = new Set(['c', 'g b', 'g i', 'b']);

it('waits for the rest of a sequence', () => {
  expect(matched(BINDINGS, null, 'g')).toBe('wait');
});

it('prefers a sequence to its last key alone', () => {
  expect(matched(BINDINGS, 'g', 'b')).toBe('g b');
  expect(matched(BINDINGS, null, 'b')).toBe('b');
});

it('takes a key that ends no sequence for itself', () => {
  expect(matched(BINDINGS, 'g', 'c')).toBe('c');
  expect(matched(BINDINGS, 'g', 'z')).toBeNull();
});
