import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, DetailLayout, layoutOf } from '#domain/blocks';
import { cleaned } from '../../../../../test/plane/html.ts';
import { sectionOf } from './blocks-html.ts';
import { meaningOf, putTogether, takeApart } from './description.ts';
import { readBlocks } from './read-blocks.ts';

const OPERATION = { operation_id: 'op', now: 1_700_000_000_000 };

/** The stored form in Plane, with a description before it. */
const stored = (layout: DetailLayout, prose = '<p>Why</p>'): string =>
  cleaned(putTogether({ prose, section: sectionOf(layout, OPERATION) })) ?? '';

const blocksIn = (html: string): readonly Block[] => blocksOf(meaningOf(takeApart(html)).detail_layout);

const SIGNS = ['a', 'B', ' ', '\n', '<', '>', '&', '"', "'", '&amp;', '<p>', '</li>', 'é', '漢', '😀', '-', '\u00a0'];
const words = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...SIGNS), minLength: min, maxLength: max }).map((text) => text.trim());
const id = fc.string({ unit: fc.constantFrom(...'abcXYZ019_.:-'), minLength: 1, maxLength: 12 });

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record(
    { id, type: fc.constant('text' as const), title: words(0, 10), text: words(0, 40) },
    { requiredKeys: ['id', 'type', 'text'] },
  ),
  fc.record(
    {
      id,
      type: fc.constant('checker' as const),
      title: words(0, 10),
      items: fc.array(fc.record({ id, text: words(1, 20).filter((text) => text !== ''), checked: fc.boolean() }), {
        maxLength: 4,
      }),
    },
    { requiredKeys: ['id', 'type', 'items'] },
  ),
);

const layouts = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map(layoutOf)
  .filter((layout) => DetailLayout.safeParse(layout).success);

const CHECKER = layoutOf([
  { id: 'notes', type: 'text', title: 'Notes', text: 'First line\nsecond line\n\nNext' },
  {
    id: 'steps',
    type: 'checker',
    title: 'Steps',
    items: [
      { id: 'one', text: 'Write', checked: true },
      { id: 'two', text: 'Test', checked: false },
    ],
  },
]);

describe('blocks in a description of Plane', () => {
  it('[TSK-34] come back as written, with their ids, and leave the description unchanged', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const { description_html, detail_layout } = meaningOf(takeApart(stored(layout)));

        expect(detail_layout).toEqual(layout);
        expect(description_html).toBe('<p>Why</p>');
      }),
      { numRuns: 500 },
    );
  });

  it('look like headings, paragraphs and checks to a person', () => {
    expect(stored(CHECKER)).toMatch(/<h3 [^>]*>Notes<\/h3><p>First line<br>second line<\/p><p>Next<\/p>/);
    expect(stored(CHECKER)).toMatch(/<li data-checked="true" data-type="taskItem" [^>]*>.*<p>Write<\/p>/);
  });

  it('keep their ids when a person ticks, rewords and adds checks in the editor', () => {
    // The form that Plane's editor stores: its own classes, ids where there were none, no title on the heading.
    const edited =
      '<p class="editor-paragraph-block" data-id="9b1f">Why, in more words</p>' +
      '<h2 class="editor-heading-block" data-id="errand-blocks">Structured blocks</h2>' +
      '<h3 class="editor-heading-block" data-id="errand-checker-steps">Next steps</h3>' +
      '<ul class="not-prose pl-2 space-y-2" data-type="taskList" data-id="77aa">' +
      '<li class="relative" data-checked="true" data-type="taskItem" data-id="errand-item-two"><label><input type="checkbox" checked="checked"><span></span></label><div><p class="editor-paragraph-block" data-id="1">Test it</p></div></li>' +
      '<li class="relative" data-checked="false" data-type="taskItem" data-id="0c5e"><label><input type="checkbox"><span></span></label><div><p class="editor-paragraph-block" data-id="2">Ship</p></div></li>' +
      '<li class="relative" data-checked="false" data-type="taskItem" data-id="0c5f"><label><input type="checkbox"><span></span></label><div><p></p></div></li>' +
      '</ul><p class="editor-paragraph-block" data-id="5d"></p>';

    expect(meaningOf(takeApart(edited)).description_html).toBe('<p>Why, in more words</p>');
    expect(blocksIn(edited)).toEqual([
      {
        id: 'steps',
        type: 'checker',
        title: 'Next steps',
        items: [
          { id: 'two', text: 'Test it', checked: true },
          { id: '0c5e', text: 'Ship', checked: false },
        ],
      },
    ]);
  });

  it('are read alike when the editor of a server wrote them', () => {
    const edited =
      '<h3 data-id="errand-checker-steps">Steps</h3><ul data-id="1" data-type="taskList">' +
      '<li data-id="errand-item-one" data-checked data-type="taskItem"><label><input type="checkbox" checked="checked"><span></span></label><div><p>Write</p></div></li>' +
      '<li data-id="errand-item-two" data-type="taskItem"><label><input type="checkbox"><span></span></label><div><p>Test</p></div></li></ul>';

    expect(blocksIn(edited)).toEqual(blocksOf(CHECKER).slice(1));
    expect(meaningOf(takeApart('<ul data-type="taskList"><li data-checked>x</li></ul>')).description_html).toBe(
      '<ul data-type="taskList"><li data-checked="true">x</li></ul>',
    );
  });

  it('include the text that a person writes between them', () => {
    const section =
      '<h3 data-id="errand-text-a">A</h3><p>One</p><ul><li><p>point</p></li></ul>' +
      '<ul data-type="taskList"><li data-checked="false"><p>check</p></li></ul><p>After</p><h1>Own heading</h1><pre>code</pre>';

    expect(blocksIn(section)).toMatchObject([
      { id: 'a', type: 'text', title: 'A', text: 'One\n\n- point' },
      { type: 'checker', items: [{ text: 'check', checked: false }] },
      { type: 'text', text: 'After' },
      { type: 'text', title: 'Own heading', text: 'code' },
    ]);
    expect(blocksIn(section)).toEqual(blocksIn(section));
  });

  it('get new ids where a copy has the same ones', () => {
    const twice = `${sectionOf(CHECKER, OPERATION)}${sectionOf(CHECKER, OPERATION)}`;

    const ids = blocksIn(twice).flatMap((each) => [
      each.id,
      ...(each.type === 'checker' ? each.items.map((item) => item.id) : []),
    ]);

    expect(ids.slice(0, 4)).toEqual(['notes', 'steps', 'one', 'two']);
    expect(new Set(ids).size).toBe(8);
  });

  it('are not made from text that only looks like them', () => {
    const prose = '<p>I wrote &lt;p data-id="errand-text-x"&gt; and data-id="errand-text-y"</p>';

    expect(takeApart(prose)).toEqual({ prose, section: '' });
  });

  it('stay a part of the description when they are more than blocks can hold', () => {
    const section = `<p data-id="errand-text-a">${'x'.repeat(10_001)}</p>`;

    const meaning = meaningOf(takeApart(`<p>Why</p>${section}`));

    expect(meaning).toMatchObject({ detail_layout: null, is_readable: false });
    expect(meaning.description_html).toContain('x'.repeat(10_001));
  });

  it.each([
    ['unclosed tags', '<p data-id="errand-text-a">'.repeat(50_000)],
    ['deep nesting', `<p data-id="errand-text-a">x</p>${'<ul><li>'.repeat(9_000)}`],
    ['marks without elements', 'data-id="errand-'.repeat(100_000)],
    ['equal lines', `<p data-id="errand-text-a">x</p>${'<h1>x</h1>'.repeat(9_000)}`],
    [
      'equal checks',
      `<p data-id="errand-text-a">x</p>${`<ul data-type="taskList">${'<li data-checked="true">x</li>'.repeat(199)}</ul><h1>y</h1>`.repeat(48)}`,
    ],
    ['signs', `<p data-id="errand-text-a">${'<'.repeat(19_000)}${'"'.repeat(100_000)}`],
  ])('are read in reasonable time from %s', (_, html) => {
    expect(meaningOf(takeApart(html))).toHaveProperty('is_readable');
  });

  it('are cut when a description is too long to be sanitized in reasonable time', () => {
    const { description_html } = meaningOf(takeApart('<'.repeat(1_500_000)));

    expect(description_html).toMatch(/…<\/p>$/);
    expect(description_html?.length).toBeLessThan(1_000_000);
  });

  it('are none in an emptied section', () => {
    expect(readBlocks('<h2 data-id="errand-blocks">Structured blocks</h2><p></p>')).toEqual(layoutOf([]));
  });
});
