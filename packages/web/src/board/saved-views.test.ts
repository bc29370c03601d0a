import { describe, expect, it } from 'vitest';
import { isShown, type SavedView, viewsIn, withView } from './saved-views.ts';

const aView = (name: string, search: SavedView['search'] = { mine: true }): SavedView => ({ name, search });

describe('saved views', () => {
  it('are read as they were kept, and from any other text none', () => {
    expect(viewsIn(JSON.stringify([aView('Mine')]))).toEqual([aView('Mine')]);
    for (const text of [null, '', 'x', '{}', '[1, null, {"name": 1}, {"name": "a"}]'])
      expect(viewsIn(text)).toEqual([]);
  });

  it('replace one of the same name, and drop the oldest beyond twenty', () => {
    const many = Array.from({ length: 20 }, (_, at) => aView(String(at)));

    expect(withView([aView('Mine')], aView('Mine', { you: true }))).toEqual([aView('Mine', { you: true })]);
    expect(withView(many, aView('New')).map(({ name }) => name)).toEqual([
      ...many.slice(1).map(({ name }) => name),
      'New',
    ]);
  });

  it('are marked as shown, whatever the order of the parameters in the address', () => {
    expect(isShown(aView('a', { q: 'paint', mine: true }), { mine: true, q: 'paint' })).toBe(true);
    expect(isShown(aView('a', { q: 'paint' }), { mine: true, q: 'paint' })).toBe(false);
  });
});
