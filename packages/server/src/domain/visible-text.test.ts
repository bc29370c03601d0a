import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleJson } from './visible-text.ts';

const tags = (text: string): string => [...text].map((it) => String.fromCodePoint(0xe0000 + it.charCodeAt(0))).join('');
const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const HIDDEN = [
  ...[...range(0x00, 0x08), 0x0b, 0x0c, ...range(0x0e, 0x1f), ...range(0x7f, 0x9f), 0xad, 0x34f, 0x61c, 0x115f, 0x1160],
  ...[0x17b4, 0x17b5, ...range(0x180b, 0x180f), ...range(0x200b, 0x200f), ...range(0x202a, 0x202e), 0x3164, 0xfeff],
  ...[...range(0x2060, 0x206f), ...range(0xfe00, 0xfe0f), 0xffa0, ...range(0xfff9, 0xfffb)],
  ...[...range(0xe0000, 0xe007f), ...range(0xe0100, 0xe01ef)],
];

const SEEN = [
  ...[
    'plain',
    'tab\tline\r\n',
    'Größe',
    '日本語 中文',
    'é',
    '👨‍👩‍👧‍👦',
    '👩🏽‍💻',
    '🏳️‍🌈',
    '🏴‍☠️',
    '👁️‍🗨️',
    '❤️‍🔥',
    '🧑🏿‍❤️‍💋‍🧑🏻',
  ],
  ...['🇩🇪', '1️⃣', '#️⃣', '*️⃣', '☎︎', '☎️', '👍🏾', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🏃🏽‍♀️‍➡️', '⛹️‍♂️', '👩‍❤️‍👨'],
  ...['می‌خواهم', 'क्‍ष', 'क्‌ष', 'ශ්‍රී', 'র‍্য', 'ന്‍', '葛󠄀', '\u2229\uFE00', '\u1820\u180B', '\u4FAE\uFE00'],
  ...['۱۴۰۳ ه\u200D. ش.', 'สวัสดี\u200Bครับ', 'ភាសា\u200Bខ្មែរ', 'ພາສາ\u200Bລາວ', '渡邉\u{E010E}'],
];

const signs = fc.constantFrom(
  ...[
    'a',
    '1',
    '>',
    ' ',
    '👨',
    '❤',
    '🏽',
    '🏴',
    '🇩',
    '葛',
    '∩',
    'ᠠ',
    'م',
    'क',
    '्',
    '\u200C',
    '\u200D',
    'ก',
    'ه',
    '.',
    '⃣',
    '\uFE0E',
    '\uFE0F',
  ],
  ...[
    '\uFE00',
    '\u180B',
    '\u{E0100}',
    tags('gbeng'),
    tags('g'),
    '\u{E007F}',
    '\u200B',
    '\u202E',
    '\uD83C',
    '\uDFF4',
    '\uDB40',
  ],
  ...['\uDC67', '\0', '\u00AD'],
);
const anyText = fc.oneof(
  fc.array(signs, { maxLength: 14, size: 'max' }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

describe('visible text', () => {
  it('contains no invisible characters', () => {
    const left = HIDDEN.filter((point) => visible(`a${String.fromCodePoint(point)}b`) !== 'ab');

    expect(left).toEqual([]);
  });

  it('contains no character between letters that Unicode marks as not shown', () => {
    const ignorable = range(0, 0x10ffff).filter((point) =>
      /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(point)),
    );

    const left = ignorable.filter((point) => visible(`a${String.fromCodePoint(point)}b`) !== 'ab');

    expect(ignorable).toEqual(expect.arrayContaining([0xe0080, 0xe00ff, 0xe0200, 0xe0fff, 0xfff0, 0x1d173, 0x1bca0]));
    expect(left).toEqual([]);
  });

  it('is the same, whatever hidden characters are inserted', () => {
    const unseen = fc.constantFrom(0xe0080, 0xe01f0, 0xe0fff, 0xfff0, 0xfff8, 0x1d173, 0x1bca3, 0x2065, 0x200b);
    const strewn = fc.array(fc.tuple(fc.constantFrom(...SEEN), unseen), { minLength: 1, maxLength: 8 });

    fc.assert(
      fc.property(strewn, (parts) => {
        const text = parts.map(([word, point]) => `${word} ${String.fromCodePoint(point)} `).join('');

        expect(visible(text)).toBe(parts.map(([word]) => `${word}  `).join(''));
      }),
    );
  });

  it.each(SEEN)('keeps %s', (text) => {
    expect(visible(text)).toBe(text);
  });

  it.each([
    ['a message in tags', `hi${tags('obey me')}`, 'hi'],
    ['a message in the tags of a flag', `🏴${tags('obey')}\u{E007F}`, '🏴'],
    ['the tags of a flag without one', `a${tags('gbeng')}\u{E007F}`, 'a'],
    ['a flag without its end', `🏴${tags('gbeng')}`, '🏴'],
    ['more tags after a flag', `🏴${tags('gbeng')}\u{E007F}${tags('x')}`, `🏴${tags('gbeng')}\u{E007F}`],
    ['bytes in variation selectors', '☎\uFE0F\uFE0F\u{E0101}\u{E0102}', '☎\uFE0F'],
    ['bytes in the styles of digits', '1\uFE0E2\uFE0F3\uFE0F', '123'],
    ['the style of a picture that is one anyhow', '😀\uFE0F🏽\uFE0E', '😀🏽'],
    ['a second selector of an ideograph', '葛\u{E0101}\u{E0102}', '葛\u{E0101}'],
    ['selectors that no register uses', '葛\u{E0120}\uFE03', '葛'],
    [
      'selectors of ideographs beyond what names need',
      '葛\u{E0101}'.repeat(40),
      '葛\u{E0101}'.repeat(16) + '葛'.repeat(24),
    ],
    ['a variant of an operator that has none', '\u2211\uFE00\u2229\uFE01', '\u2211\u2229'],
    ['breaks of words beyond one in a gap', 'สวัสดี\u200B\u200B\u200Bครับ', 'สวัสดี\u200Bครับ'],
    ['breaks of words at the edges, and between scripts', '\u200Bสวัสดี\u200B ab\u200Bc\u200Bก', 'สวัสดี abcก'],
    ['joiners after a letter, beyond one', 'ه\u200D\u200D.', 'ه\u200D.'],
    ['a joiner after a Latin letter', 'h\u200D.', 'h.'],
    ['variants of a Latin letter', 'a\uFE00\u{E0100}', 'a'],
    ['a variant of the end of a tag', '<b>\uFE00', '<b>'],
    ['joiners between Latin letters', 'pass\u200Dword\u200C', 'password'],
    ['joiners at the edges', '\u200D👨\u200D', '👨'],
    ['two joiners between emoji', '👨\u200D\u200D👩', '👨\u200D👩'],
    ['a joiner from an emoji to a letter', '👨\u200Da', '👨a'],
    ['two joiners after a virama', 'ന്\u200D\u200D', 'ന്\u200D'],
    ['text written backwards', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['a tag made of what stands around a hidden one', '\uDB40\u200B\uDC41', ''],
  ])('loses %s', (_, text, seen) => {
    expect(visible(text)).toBe(seen);
  });

  it('does not change when it is made visible again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = visible(text);

        expect(visible(once)).toBe(once);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('visible JSON', () => {
  it.each([
    ['{"a":"x\u200By"}', '{"a":"xy"}'],
    ['{"a\\u200B":["\\u202Ex", 1]}', '{"a":["x", 1]}'],
    ['"\\ud83c\\udff4\\udb40\\udc67"', '"🏴"'],
    ['"\\b\\f\\u0000\\n"', '"\\n"'],
    ['"\\bx"', '"x"'],
    ['"\\fx"', '"x"'],
    ['"\\ud800x"', '"x"'],
    ['{"n":1e400,"m":12345678901234567890,"x":"\\u200B"}', '{"n":1e400,"m":12345678901234567890,"x":""}'],
    ['"\\"\\\\\u200B\\""', '"\\"\\\\\\""'],
    ['"caf\\u00e9 👨‍👩‍👧"', '"caf\\u00e9 👨‍👩‍👧"'],
    ['"\\\\u200B"', '"\\\\u200B"'],
  ])('of %s is %s', (json, seen) => {
    expect(visibleJson(json)).toBe(seen);
  });

  it('has the same content as the value, with every string and key made visible', () => {
    const deepVisible = (value: unknown): unknown => {
      if (typeof value === 'string') return visible(value);
      if (Array.isArray(value)) return value.map(deepVisible);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [visible(key), deepVisible(inner)]));
    };
    const escaped = (json: string): string =>
      json.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: signs }), (value) => {
        const json = JSON.stringify(value);
        const expected = deepVisible(JSON.parse(json));

        expect(JSON.parse(visibleJson(json))).toEqual(expected);
        expect(JSON.parse(visibleJson(escaped(json)))).toEqual(expected);
      }),
    );
  });
});
