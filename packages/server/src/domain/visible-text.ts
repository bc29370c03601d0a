import { anyOf, NEEDS_NEIGHBOURS, WITH_NEIGHBOURS, withoutStraySigns } from './stray-signs.ts';

// Every character that Unicode says is not shown, those included that it has set aside for later.
const HIDDEN = [
  String.raw`\p{Default_Ignorable_Code_Point}`,
  String.raw`\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F`, // controls, but tab and line ends
  String.raw`\uFFF9-\uFFFB`, // interlinear annotation
  String.raw`\p{Cs}`, // halves of a pair: what parts two of them would go, and leave a new character
];
const SUSPECT = anyOf(...HIDDEN);
const EVERY_NEVER_SEEN = new RegExp(`[[${HIDDEN.join('')}]--[${WITH_NEIGHBOURS.join('')}]]`, 'gv');

/** The text without what a reader cannot see; emoji and scripts that need joiners stay as they are. */
export function visible(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const seen = text.replace(EVERY_NEVER_SEEN, '');
  return NEEDS_NEIGHBOURS.test(seen) ? withoutStraySigns(seen) : seen;
}

// Unseen, or seen as the common space.
const UNSEEN_IN_IDS = new RegExp(`[[${HIDDEN.join('')}\\p{Zs}\\p{Zl}\\p{Zp}]--[ ]]`, 'gv');
const LIKE_AN_ESCAPE = '\\u{';

const escaped = (point: string): string => `\\u{${(point.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;

/** An id as people read it, with what nobody sees written out. One that anybody can type stays as it is. */
export function readableId(id: string): string {
  // A backslash is escaped only where it could be taken for one of the escapes.
  const plain = id.includes(LIKE_AN_ESCAPE) ? id.replaceAll('\\', escaped('\\')) : id;
  return plain.replaceAll(UNSEEN_IN_IDS, escaped);
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
