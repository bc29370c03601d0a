// Signs that nobody sees by themselves: joiners, selectors of variants, tags, and the space of no width. Each stays only
// where it does something to the text around it, and then once, so that it cannot carry a hidden message.

/** Built from strings: written as one class, the linter takes neighbours in it for joined characters. */
export const anyOf = (...ranges: readonly string[]): RegExp => new RegExp(`[${ranges.join('')}]`, 'u');

export const WITH_NEIGHBOURS = [
  String.raw`\u200B-\u200D`,
  String.raw`\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}`,
  String.raw`\u{E0000}-\u{E007F}`,
];
export const NEEDS_NEIGHBOURS = anyOf(...WITH_NEIGHBOURS);

const WORD_BREAK = '\u200B';
const JOINER = /\u200C|\u200D/u;
const TEXT_STYLE = '\uFE0E';
const PICTURE_STYLE = '\uFE0F';
const MONGOLIAN_STYLE = /[\u180B-\u180D\u180F]/u;
const TAG = /[\u{E0000}-\u{E007F}]/u;

// Digits, `#` and `*` are emoji to Unicode, and are shown as pictures before a keycap only.
const KEY = /[0-9#*]/;
const KEYCAP = '\u20E3';
const EMOJI = /(?!\p{Emoji_Component})\p{Emoji}/u;
// The others are pictures anyhow: the sign would change nothing that a reader sees.
const TEXT_UNLESS_STYLED = /(?!\p{Emoji_Component}|\p{Emoji_Presentation})\p{Emoji}/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const SKIN_TONE = /\p{Emoji_Modifier}/u;
const MONGOLIAN = /(?=\p{L})\p{Script=Mongolian}/u;

// The operators for which Unicode has registered a variant, which is always the first.
const OPERATOR_STYLE = '\uFE00';
const OPERATOR_WITH_VARIANT =
  /[\u2229\u222A\u2268\u2269\u2272\u2273\u228A\u228B\u2293-\u2295\u2297\u229C\u22DA\u22DB\u2A3C\u2A3D\u2A9D\u2A9E\u2AAC\u2AAD\u2ACB\u2ACC]/u;

/**
 * Han characters have variants in the tens of thousands, in a register too large to carry along. Names need them:
 * these are the selectors that the register uses. A text keeps at most 16 of them: with five bits each, they carry ten
 * bytes at most; a character that loses its selector is shown in its usual form.
 */
const IDEOGRAPHIC_STYLE = /[\uFE00-\uFE02\u{E0100}-\u{E011F}]/u;
const MAX_IDEOGRAPHIC_STYLES = 16;
const IDEOGRAPH = /\p{Unified_Ideograph}/u;

const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya', 'Manichaean'],
  ...['Psalter_Pahlavi', 'Sogdian', 'Old_Uyghur', 'Chorasmian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Myanmar', 'Khmer', 'Tibetan', 'Balinese'],
  ...['Javanese', 'Sundanese', 'Brahmi', 'Grantha', 'Newa', 'Sharada', 'Tirhuta', 'Kaithi', 'Chakma', 'Tai_Tham'],
];
const IN_JOINING_SCRIPT = new RegExp(
  `(?=[\\p{L}\\p{M}])[${JOINING_SCRIPTS.map((it) => `\\p{scx=${it}}`).join('')}]`,
  'u',
);
// A sign that kills the vowel takes a joiner even at the end of a word: Malayalam writes its final consonants so.
const VIRAMA = /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u103A\u17D2]/u;

const BLACK_FLAG = '\u{1F3F4}';
const END_OF_TAGS = '\u{E007F}';
const FLAG_TAGS: ReadonlySet<string> = new Set(
  ['gbeng', 'gbsct', 'gbwls'].map(
    (region) =>
      [...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('') + END_OF_TAGS,
  ),
);
const LENGTH_OF_FLAG_TAGS = 6;

// Persian abbreviates with the initial form of a letter before a full stop: the joiner is what shows that form.
const ARABIC = /(?=\p{L})\p{Script=Arabic}/u;
const LETTER = /[\p{L}\p{M}]/u;

// Written without spaces between words; where a line may be broken is said by the sign.
const WITHOUT_SPACES = ['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tai_Tham', 'New_Tai_Lue'].map(
  (script) => new RegExp(`(?=[\\p{L}\\p{M}\\p{Nd}])\\p{Script=${script}}`, 'u'),
);

const breaksWords = (before: string, next: string): boolean =>
  WITHOUT_SPACES.some((script) => script.test(before) && script.test(next));

function joins(sign: string, before: string, next: string): boolean {
  if (VIRAMA.test(before)) return true;
  // A neighbour that may go itself cannot justify the joiner, or a second look would take it away.
  if (NEEDS_NEIGHBOURS.test(next)) return false;
  if (sign === '\u200D' && ARABIC.test(before) && !LETTER.test(next)) return true;
  return IN_JOINING_SCRIPT.test(before) && IN_JOINING_SCRIPT.test(next);
}

function joinsPictures(kept: readonly string[], next: string): boolean {
  const before = kept.at(-1) ?? '';
  const picture = before === PICTURE_STYLE ? (kept.at(-2) ?? '') : before;
  return (PICTURE.test(picture) || SKIN_TONE.test(picture)) && PICTURE.test(next);
}

/** Whether the sign does something between what is kept before it and what comes next. */
function means(sign: string, kept: readonly string[], next: string): boolean {
  const before = kept.at(-1) ?? '';
  if (sign === WORD_BREAK) return breaksWords(before, next);
  if (JOINER.test(sign)) return joins(sign, before, next) || (sign === '\u200D' && joinsPictures(kept, next));
  if (sign === TEXT_STYLE) return EMOJI.test(before);
  if (sign === PICTURE_STYLE) return KEY.test(before) ? next === KEYCAP : TEXT_UNLESS_STYLED.test(before);
  if (MONGOLIAN_STYLE.test(sign)) return MONGOLIAN.test(before);
  return sign === OPERATOR_STYLE && OPERATOR_WITH_VARIANT.test(before);
}

/** Each sign is judged by what is kept before it and by a next character that always stays, so twice is once. */
export function withoutStraySigns(text: string): string {
  const points = [...text];
  const kept: string[] = [];
  let ideographic = 0;
  for (let at = 0; at < points.length; at++) {
    const point = points[at] ?? '';
    if (!NEEDS_NEIGHBOURS.test(point)) {
      kept.push(point);
    } else if (TAG.test(point)) {
      const tags = points.slice(at, at + LENGTH_OF_FLAG_TAGS);
      if (kept.at(-1) !== BLACK_FLAG || !FLAG_TAGS.has(tags.join(''))) continue;
      kept.push(...tags);
      at += LENGTH_OF_FLAG_TAGS - 1;
    } else if (IDEOGRAPHIC_STYLE.test(point) && IDEOGRAPH.test(kept.at(-1) ?? '')) {
      ideographic += 1;
      if (ideographic <= MAX_IDEOGRAPHIC_STYLES) kept.push(point);
    } else if (means(point, kept, points[at + 1] ?? '')) {
      kept.push(point);
    }
  }
  return kept.join('');
}
