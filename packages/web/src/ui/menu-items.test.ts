import { describe, expect, it } from 'vitest';
import { itemOfKey, keysOf, type MenuItem, sectionsOf } from './menu-items.ts';

const item = (id: string, more: Partial<MenuItem> = {}): MenuItem => ({ id, label: id, onSelect: () => {}, ...more });
const ITEMS = [
  item('todo'),
  item('progress', { current: true }),
  item('done', { refused: '3 criteria are open' }),
  item('cancelled'),
  item('hand', { keys: 'h', apart: true }),
];

describe('sectionsOf', () => {
  it('parts the items above those that stand apart', () => {
    expect(sectionsOf(ITEMS).map((section) => section.map(({ id }) => id))).toEqual([
      ['todo', 'progress', 'done', 'cancelled'],
      ['hand'],
    ]);
    expect(sectionsOf([])).toEqual([]);
  });
});

describe('keysOf', () => {
  it('numbers items by their place, refused ones too, and keeps keys of their own', () => {
    expect([...keysOf(ITEMS, true)]).toEqual([
      ['todo', '1'],
      ['progress', '2'],
      ['done', '3'],
      ['cancelled', '4'],
      ['hand', 'h'],
    ]);
    expect([...keysOf(ITEMS, false)]).toEqual([['hand', 'h']]);
  });

  it('has no number for the tenth', () => {
    const ten = Array.from({ length: 10 }, (_, at) => item(`i${at}`));
    expect(keysOf(ten, true).size).toBe(9);
  });
});

describe('itemOfKey', () => {
  const keys = keysOf(ITEMS, true);
  const find = (pressed: string, on: boolean, query = '') => itemOfKey(ITEMS, keys, pressed, { on, query })?.id;

  it('takes numbers while the filter is empty, and nothing once something is typed', () => {
    expect(find('4', true)).toBe('cancelled');
    expect(find('4', true, 're')).toBeUndefined();
  });

  it('leaves letters to the filter, and takes them where there is none', () => {
    expect(find('h', true)).toBeUndefined();
    expect(find('H', false)).toBe('hand');
  });

  it('never does what is refused', () => {
    expect(find('3', false)).toBeUndefined();
  });
});
