const MAX_TERM_CHARACTERS = 40;
const MAX_TERMS = 5000;
const MAX_QUERY_TERMS = 12;

// Scripts written without spaces, and Hangul, whose words carry their endings.
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const RUN = new RegExp(`(?<unspaced>(?:(?=[\\p{L}\\p{N}])[${UNSPACED}])+)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}_])+`, 'gu');

const MARKS = /[\p{M}\p{Cf}]+/gu;

/** Normalises the spelling of a word. The databases' own folding differs by kind and version. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    // The lower case of a sigma depends on the next letter, which a query may lack.
    .replaceAll('ς', 'σ')
    .normalize('NFC');

function* pairs(run: string, singles: boolean): Generator<string> {
  let before = '';
  let alone = true;
  for (const sign of run) {
    if (singles) yield sign;
    if (before !== '') {
      alone = false;
      yield before + sign;
    }
    before = sign;
  }
  if (alone && !singles) yield before;
}

const shortened = (word: string): string =>
  word.length <= MAX_TERM_CHARACTERS
    ? word
    : [...word.slice(0, MAX_TERM_CHARACTERS * 2)].slice(0, MAX_TERM_CHARACTERS).join('');

// Most texts are plain, and for them this is much faster: folding changes nothing but the case.
const PLAIN = /^[\p{ASCII}]*$/u;
const PLAIN_RUN = /[a-z0-9_]+/g;

function distinctPlain(text: string, most: number): readonly string[] {
  const runs = text.toLowerCase().match(PLAIN_RUN) ?? [];
  return [...new Set(runs.map(shortened))].slice(0, most);
}

function distinct(text: string, most: number, singles: boolean): readonly string[] {
  if (PLAIN.test(text)) return distinctPlain(text, most);
  const terms = new Set<string>();
  for (const { 0: run, groups } of folded(text).matchAll(RUN)) {
    for (const term of groups?.unspaced === undefined ? [shortened(run)] : pairs(run, singles)) {
      terms.add(term);
      if (terms.size === most) return [...terms];
    }
  }
  return [...terms];
}

/** The search terms of a text. Scripts without spaces give each character and each pair of neighbours. */
export const searchTerms = (text: string): readonly string[] => distinct(text, MAX_TERMS, true);

/** The search terms of a query. A text that contains the query has all of them. */
export const queryTerms = (query: string): readonly string[] => distinct(query, MAX_QUERY_TERMS, false);
