// Built from strings: written as one class, the linter takes neighbours in it for joined characters.
const anyOf = (...ranges: readonly string[]): RegExp => new RegExp(`[${ranges.join('')}]`, 'u');

// Every character that Unicode says is not shown, those included that it has set aside for later.
const HIDDEN = [
  String.raw`\p{Default_Ignorable_Code_Point}`,
  String.raw`\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F`, // controls, but tab and line ends
  String.raw`\uFFF9-\uFFFB`, // interlinear annotation
  String.raw`\p{Cs}`, // halves of a pair: what parts two of them would go, and leave a new character
];
const SUSPECT = anyOf(...HIDDEN);

// Seen only by what they do to their neighbours: joiners, variation selectors, tags.
const WITH_NEIGHBOURS = [
  String.raw`\u200C\u200D`,
  String.raw`\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}`,
  String.raw`\u{E0000}-\u{E007F}`,
];
const NEEDS_NEIGHBOURS = anyOf(...WITH_NEIGHBOURS);
const EVERY_NEVER_SEEN = new RegExp(`[[${HIDDEN.join('')}]--[${WITH_NEIGHBOURS.join('')}]]`, 'gv');

const JOINER = /\u200C|\u200D/u;
const EMOJI_STYLE = /[\uFE0E\uFE0F]/u;
const MONGOLIAN_STYLE = /[\u180B-\u180D\u180F]/u;
const TAG = /[\u{E0000}-\u{E007F}]/u;

const EMOJI = /\p{Emoji}/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const SKIN_TONE = /\p{Emoji_Modifier}/u;
const MONGOLIAN = /(?=\p{L})\p{Script=Mongolian}/u;
// ASCII signs have no variants, and a `>` may end a tag of HTML.
const HAS_VARIANTS = /\p{Script=Han}|\p{Script=Mongolian}|(?=[^\0-\x7F])\p{Sm}/u;

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

const joins = (kept: readonly string[], next: string): boolean => {
  const before = kept.at(-1) ?? '';
  if (VIRAMA.test(before)) return true;
  // A neighbour that may go itself cannot justify the joiner, or a second look would take it away.
  if (NEEDS_NEIGHBOURS.test(next)) return false;
  return IN_JOINING_SCRIPT.test(before) && IN_JOINING_SCRIPT.test(next);
};

const joinsPictures = (kept: readonly string[], next: string): boolean => {
  const before = kept.at(-1) ?? '';
  const picture = before === '\uFE0F' ? (kept.at(-2) ?? '') : before;
  return (PICTURE.test(picture) || SKIN_TONE.test(picture)) && PICTURE.test(next);
};

const means = (sign: string, kept: readonly string[], next: string): boolean => {
  if (JOINER.test(sign)) return joins(kept, next) || (sign === '\u200D' && joinsPictures(kept, next));
  const before = kept.at(-1) ?? '';
  if (EMOJI_STYLE.test(sign)) return EMOJI.test(before);
  if (MONGOLIAN_STYLE.test(sign)) return MONGOLIAN.test(before);
  return HAS_VARIANTS.test(before);
};

// Each sign is judged by what is kept before it and by a next character that always stays, so twice is once.
function withoutStraySigns(text: string): string {
  const points = [...text];
  const kept: string[] = [];
  for (let at = 0; at < points.length; at++) {
    const point = points[at] ?? '';
    if (!NEEDS_NEIGHBOURS.test(point)) {
      kept.push(point);
    } else if (TAG.test(point)) {
      const tags = points.slice(at, at + LENGTH_OF_FLAG_TAGS);
      if (kept.at(-1) !== BLACK_FLAG || !FLAG_TAGS.has(tags.join(''))) continue;
      kept.push(...tags);
      at += LENGTH_OF_FLAG_TAGS - 1;
    } else if (means(point, kept, points[at + 1] ?? '')) {
      kept.push(point);
    }
  }
  return kept.join('');
}

/** The text without what a reader cannot see; emoji and scripts that need joiners stay as they are. */
export function visible(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const seen = text.replace(EVERY_NEVER_SEEN, '');
  return NEEDS_NEIGHBOURS.test(seen) ? withoutStraySigns(seen) : seen;
}

const SUSPECT_ESCAPE = /\\[bfu]/;

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

function visibleToken(token: string): string {
  if (!SUSPECT.test(token) && !SUSPECT_ESCAPE.test(token)) return token;
  const text: string = JSON.parse(token);
  const seen = visible(text);
  return seen === text ? token : JSON.stringify(seen);
}

/** The JSON text with every string and key made visible; numbers, order and spacing stay as they were written. */
export function visibleJson(json: string): string {
  if (!SUSPECT.test(json) && !SUSPECT_ESCAPE.test(json)) return json;
  const parts: string[] = [];
  let at = 0;
  for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', at)) {
    const end = endOfString(json, start);
    parts.push(json.slice(at, start), visibleToken(json.slice(start, end)));
    at = end;
  }
  return parts.join('') + json.slice(at);
}
