import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One condition of one query, and the source with it made always true. */
export interface Mutant {
  /** The file, the query and the condition; with a number when the query has the condition twice. */
  readonly name: string;
  readonly file: string;
  readonly source: string;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly words: string;
  readonly instead: string;
}

/** Returns the position of the bracket that closes the one at `start`. */
function closing(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error(`No end of ${source.slice(start, start + 40)}`);
}

/** Finds `.where('column', '=', value)` calls. The parameter stays bound: a missing one would fail every test. */
function* inBuilder(source: string): Generator<Found> {
  for (const { index } of source.matchAll(/\.where\('/g)) {
    const start = index + '.where'.length;
    const end = closing(source, start);
    const args = source.slice(start + 1, end - 1);
    const instead = `((eb) => eb.or([eb(${args}), eb.lit(true)]))`;
    yield { start, end, words: args.replaceAll(/\s+/g, ' '), instead };
  }
}

const COLUMN = /(?:[a-z_."]+|\$\{\w+\})/.source;
const VALUE = /(?:\(|:[a-z_]+|:\$\{\w+\}|'[^']*'|null|\$\{|[a-z_.]+)/.source;
const COMPARED = new RegExp(`${COLUMN}\\s*(?:=|<>|<=|>=|<|>|is not|is|in)\\s*${VALUE}`, 'y');
/** After `where`, after `and`, or at the beginning of a text that is put in after one of them. */
const BEFORE = new RegExp(
  `(?<=[\\s'\`])(?:where|and)\\s+(?=${COLUMN}\\s*(?:=|<|>|is |in )|\\(|\\$\\{)|(?<=\`)\\n\\s+(?=[a-z_.]+ = :)`,
  'g',
);

/** Returns the end of a comparison. A bracketed expression may be one side of it. */
function endOfComparison(source: string, end: number): number {
  return end + (/^ (?:=|<|>) :[a-z_]+/.exec(source.slice(end))?.[0].length ?? 0);
}

/** Returns the end of the `case` that has just started. Cases may be nested. */
function endOfCase(source: string, start: number): number {
  let depth = 1;
  for (const { 0: word, index } of source.slice(start).matchAll(/\b(?:case|end)\b/g)) {
    depth += word === 'case' ? 1 : -1;
    if (depth === 0) return start + index + word.length;
  }
  throw new Error(`No end of the case at ${start}`);
}

/** Returns the end of the condition: a comparison, a bracketed condition, or an interpolated one. */
function endOfCondition(source: string, start: number): number | null {
  const at = source.slice(start);
  if (at.startsWith('(')) return endOfComparison(source, closing(source, start));
  COMPARED.lastIndex = start;
  const found = COMPARED.exec(source);
  if (found === null) return at.startsWith('${') ? source.indexOf('}', start) + 1 : null;
  const end = start + found[0].length;
  if (found[0].endsWith('(')) return closing(source, end - 1);
  // A function or `case` continues after its name.
  if (source[end] === '(') return closing(source, end);
  if (found[0].endsWith(' case')) return endOfCase(source, end);
  return found[0].endsWith('${') ? source.indexOf('}', end) + 1 : end;
}

/** Finds conditions after `where` and `and` in SQL texts. */
function* inTexts(source: string): Generator<Found> {
  for (const { index, 0: before } of source.matchAll(BEFORE)) {
    const start = index + before.length;
    const end = endOfCondition(source, start);
    if (end === null) continue;
    const words = source.slice(start, end);
    yield { start, end, words: words.replaceAll(/\s+/g, ' '), instead: `(${words} or true)` };
  }
}

const withoutComments = (source: string): string =>
  source.replaceAll(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, (line) => ' '.repeat(line.length));

/** Returns the name of the declaration around a position. */
const around = (source: string, at: number): string =>
  [...source.slice(0, at).matchAll(/^(?:export )?(?:async )?(?:const|function\*?) (\w+)/gm)].at(-1)?.[1] ?? '';

/** Finds every condition in the queries of the store. */
export function findMutants(root: string): readonly Mutant[] {
  const folder = 'packages/server/src/store/sql';
  const files = [...globSync(`${folder}/repositories/*.ts`, { cwd: root }), `${folder}/within.ts`].toSorted();
  const seen = new Map<string, number>();
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const plain = withoutComments(source);
    return [...inBuilder(plain), ...inTexts(plain)].map(({ start, end, words, instead }) => {
      const name = `${file.split('/').at(-1)} ${around(plain, start)}: ${words}`;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      const changed = source.slice(0, start) + instead + source.slice(end);
      return { name: count === 1 ? name : `${name} (${count})`, file, source: changed };
    });
  });
}
