import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitting, jsonLength, shortText } from './answer-size.ts';
import type { Block } from './blocks.ts';
import { sanitizeHtml } from './rich-text.ts';
import { shortBlocks } from './short-blocks.ts';
import { shortHtml } from './short-html.ts';

const rooms = fc.integer({ min: 40, max: 400 });
const texts = fc.string({ unit: 'binary', maxLength: 600 });
const fragments = fc.constantFrom(
  '<p>',
  '</p>',
  '<ul><li>',
  '</li></ul>',
  '<b>',
  '</b>',
  '&amp;',
  'word ',
  '🦜',
  '"',
  '<a href="https://x.test/">',
);
const blocks: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ id: fc.uuid(), type: fc.constant('text' as const), text: texts }),
  fc.record({
    id: fc.uuid(),
    type: fc.constant('checker' as const),
    items: fc.array(fc.record({ id: fc.uuid(), text: texts, checked: fc.boolean() }), { maxLength: 5 }),
  }),
);

describe('shortened answers', () => {
  it('take as many rows as fit and no more', () => {
    expect(fitting(['aaaa', 'bbbb', 'cccc'], 14)).toBe(2);
    expect(fitting(['aaaa', 'bbbb', 'cccc'], 13)).toBe(1);
    expect(fitting(['aaaa'], 3)).toBe(0);
  });

  it('keep a text that fits, and cut a longer one to the room for it', () => {
    fc.assert(
      fc.property(texts, rooms, (text, room) => {
        const short = shortText(text, room);

        expect(jsonLength(short)).toBeLessThanOrEqual(Math.max(room, 2));
        expect(jsonLength(text) <= room ? short === text : short.endsWith('…')).toBe(true);
        expect(short.isWellFormed() || !text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('keep HTML clean and within its room', () => {
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 80 }), rooms, (parts, room) => {
        const html = sanitizeHtml(parts.join(''));
        const short = shortHtml(html, room);

        expect(jsonLength(short)).toBeLessThanOrEqual(room);
        expect(sanitizeHtml(short)).toBe(short);
        if (jsonLength(html) <= room) expect(short).toBe(html);
      }),
    );
  });

  it('keep the first blocks, within their room, and their ids', () => {
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 6 }), rooms, (all, room) => {
        const shown = shortBlocks(all, room);

        expect(jsonLength(shown)).toBeLessThanOrEqual(room + 2);
        expect(shown.map(({ id }) => id)).toEqual(all.slice(0, shown.length).map(({ id }) => id));
        if (jsonLength(all) + 1 <= room) expect(shown).toEqual(all);
      }),
    );
  });
});
