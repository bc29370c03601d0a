import type { z } from 'zod';
import { joined, say, textOf, type Words } from '#advice';
import { jsonLength } from '#domain/answer-size';
import { isStorable } from '#domain/text';
import { ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';
import { closestName } from './closest-name.ts';

const MAX_DEPTH = 64;

/** How many problems an error lists. More would not help, and could make the answer far longer than the call. */
const MAX_NAMED_KEYS = 5;
const MAX_CHARACTERS = 3_000;
const MAX_SHOWN = 60;

/** Values in all arguments together: each wrong value takes time to refuse. */
const MAX_VALUES = 120_000;

/** Entries of one list or object: more than any field accepts. */
const MAX_ENTRIES = 1_000;

/** Names in the arguments: more than any tool has fields. With more, the call is refused before any other check. */
const MAX_NAMES = 100;

/** The caller's text, shortened. */
const cut = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, '')}…` : text;

const pathOf = (path: readonly PropertyKey[]): string => path.map((part) => cut(String(part))).join('.');

interface Problem {
  readonly field: string;
  readonly problem: string;
}

const inWords = ({ field, problem }: Problem): Words => (field === '' ? problem : say`${{ about: field }} ${problem}`);

/** A problem: as a message, and by field. */
interface Fault {
  readonly words: Words;
  readonly problems: readonly Problem[];
}

const faultAt = (problem: Problem): Fault => ({ words: inWords(problem), problems: [problem] });

function refuse(faults: Iterable<Fault>, count = 1): never {
  const named: Fault[] = [];
  let left = MAX_CHARACTERS;
  for (const fault of faults) {
    left -= jsonLength(textOf(fault.words)) + jsonLength(fault.problems);
    if (named.length > 0 && left < 0) break;
    named.push(fault);
  }
  const more = count > named.length ? [`${count - named.length} more like these`] : [];
  throw new ErrandError('validation_error', say`${joined([...named.map(({ words }) => words), ...more], '; ')}.`, {
    details: { fields: named.flatMap(({ problems }) => problems) },
  });
}

/** A problem within the arguments, with its path from the inside out. */
interface Found {
  readonly problem: string;
  readonly path: string[];
}

const found = (problem: string): Found => ({ problem, path: [] });

/** Finds a value that no store can keep. The path is built only when one is found. */
function findUnstorable(value: unknown, depth: number, seen: { values: number }): Found | null {
  seen.values += 1;
  if (seen.values > MAX_VALUES)
    return found(`is one of more than ${MAX_VALUES} values, which are too many for one call`);
  if (typeof value === 'string') {
    return isStorable(value) ? null : found('holds U+0000 or half a surrogate pair, which cannot be stored');
  }
  if (typeof value === 'number') {
    // JavaScript reads 2^53 + 1 as 2^53: two different calls would look the same.
    const unsafe = Number.isInteger(value) && !Number.isSafeInteger(value);
    return unsafe ? found('is a whole number too large to be exact') : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return found(`is nested deeper than ${MAX_DEPTH} levels`);
  let entries = 0;
  // Not `for … in`: V8 would compile this function again and again, for objects with other fields than the last.
  for (const key of Object.keys(value)) {
    entries += 1;
    if (entries > MAX_ENTRIES) return found(`has more than ${MAX_ENTRIES} entries`);
    if (!isStorable(key)) return found('has a name with U+0000 or half a surrogate pair');
    // The key was found in this very value.
    const inside = findUnstorable((value as Record<string, unknown>)[key], depth + 1, seen);
    if (inside === null) continue;
    inside.path.push(key);
    return inside;
  }
  return null;
}

function mustBeStorable(value: unknown): void {
  const unstorable = findUnstorable(value, 0, { values: 0 });
  if (unstorable === null) return;
  refuse([faultAt({ field: pathOf(unstorable.path.toReversed()), problem: unstorable.problem })]);
}

/** The caller's value, shortened; nothing for a value without a short form. */
function shown(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return '';
  return `, not ${typeof value === 'string' ? JSON.stringify(cut(value)) : cut(String(value))}`;
}

const isMissing = (issue: z.core.$ZodIssue): boolean => issue.code === 'invalid_type' && issue.input === undefined;

/** Advice for a field that models tend to leave out; undefined where its description is enough. */
function fillingOf({ subject }: Tool, field: PropertyKey | undefined): string | undefined {
  if (field === 'idempotency_key') {
    return 'any text that names this one operation; repeat it only to retry the very same call';
  }
  if (field !== subject) return undefined;
  return 'use "me" for the user of your token; a service token names one of its users';
}

function problemOf(tool: Tool, issue: z.core.$ZodIssue): string {
  if (isMissing(issue)) {
    const filling = issue.path.length === 1 ? fillingOf(tool, issue.path[0]) : undefined;
    return filling === undefined ? 'is required' : `is required: ${filling}`;
  }
  if (issue.code === 'invalid_type') {
    return `must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`;
  }
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.join(', ')}${shown(issue.input)}`;
  if (issue.code === 'too_small') {
    if (issue.origin === 'string') return 'must not be empty';
    return issue.origin === 'array' ? `must have at least ${issue.minimum} item` : `must be at least ${issue.minimum}`;
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `must be at most ${issue.maximum} characters long`;
    return issue.origin === 'array' ? `must have at most ${issue.maximum} items` : `must be at most ${issue.maximum}`;
  }
  return issue.message;
}

/** Unknown names, each with the field that was probably meant. */
function unknownNames(tool: Tool, { path, keys }: Pick<z.core.$ZodIssueUnrecognizedKeys, 'path' | 'keys'>): Fault {
  const place = pathOf(path);
  const refused = (names: readonly string[]): string => `takes no field named ${names.join(', ')}`;
  if (keys.length > MAX_NAMED_KEYS) {
    const others = `${keys.length - MAX_NAMED_KEYS} others`;
    return faultAt({ field: place, problem: refused([...keys.slice(0, MAX_NAMED_KEYS).map(cut), others]) });
  }
  const named = keys.map((whole) => {
    const key = cut(whole);
    const meant = path.length === 0 ? closestName(key, Object.keys(tool.input.shape)) : null;
    return { key, name: meant === null ? key : `${key} (did you mean ${meant}?)` };
  });
  return {
    words: inWords({ field: place, problem: refused(named.map(({ name }) => name)) }),
    problems: named.map(({ key, name }) => ({ field: pathOf([...path, key]), problem: refused([name]) })),
  };
}

/** Refuses too many names: handling each of them would take longer than hundreds of calls. */
function refuseManyNames(tool: Tool, given: object): void {
  const names = Object.keys(given);
  if (names.length <= MAX_NAMES) return;
  const keys = names.filter((name) => !Object.hasOwn(tool.input.shape, name) && !Object.hasOwn(tool.synonyms, name));
  refuse([unknownNames(tool, { path: [], keys })]);
}

const faultOf = (tool: Tool, issue: z.core.$ZodIssue): Fault =>
  issue.code === 'unrecognized_keys'
    ? unknownNames(tool, issue)
    : faultAt({ field: pathOf(issue.path), problem: problemOf(tool, issue) });

/** Accepts what models often send: an object or a list as its JSON text, and null for a field that they leave out. */
function mend(tool: Tool, input: Record<string, unknown>): Record<string, unknown> {
  let mended = input;
  for (const key in input) {
    const value = input[key];
    // A name such as toString is no field, though every object has it.
    if (!Object.hasOwn(tool.input.shape, key)) continue;
    // A shape holds nothing but schemas.
    const field = tool.input.shape[key] as z.ZodType;
    if (value === null && tool.null_clears.includes(key)) {
      mended = { ...mended, [key]: '' };
    } else if (value === null && field.safeParse(undefined).success) {
      mended = { ...mended };
      delete mended[key];
    } else if (typeof value === 'string' && /^\s*[[{]/.test(value) && !field.safeParse(value).success) {
      const parsed = parseJson(value);
      if (parsed !== undefined) mended = { ...mended, [key]: parsed };
    }
  }
  return mended;
}

function parseJson(text: string): unknown {
  if (hasTooManyValues(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text with more commas than allowed values is not parsed. */
function hasTooManyValues(text: string): boolean {
  let commas = 0;
  for (let at = text.indexOf(','); at !== -1 && commas <= MAX_VALUES; at = text.indexOf(',', at + 1)) commas += 1;
  return commas > MAX_VALUES;
}

/** The arguments under the tool's own field names. Null means "not given". */
function named({ synonyms }: Tool, given: Record<string, unknown>): Record<string, unknown> {
  let renamed = given;
  for (const [synonym, field] of Object.entries(synonyms)) {
    if (!Object.hasOwn(given, synonym)) continue;
    const { [synonym]: value, ...rest } = renamed;
    if (value !== null && (rest[field] ?? null) !== null) {
      return refuse([faultAt({ field: synonym, problem: `is another name for ${field}: give one of them` })]);
    }
    renamed = value === null ? rest : { ...rest, [field]: value };
  }
  return renamed;
}

/** The arguments as the tool declares them. Throws an error that names every wrong field. */
export function validate(tool: Tool, input: unknown): Record<string, unknown> {
  const given = input ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    return refuse([faultAt({ field: '', problem: 'the arguments must be an object' })]);
  refuseManyNames(tool, given);
  mustBeStorable(given);
  // An object and no list, by the checks above.
  const renamed = named(tool, given as Record<string, unknown>);
  tool.precheck?.(renamed);
  const first = tool.input.safeParse(renamed);
  if (first.success) return first.data;

  const mended = mend(tool, renamed);
  mustBeStorable(mended);
  const { data, error } = tool.input.safeParse(mended, { reportInput: true });
  if (data !== undefined) return data;
  const { issues } = error;
  const faults = function* (): Generator<Fault> {
    for (const issue of issues) yield faultOf(tool, issue);
  };
  return refuse(faults(), issues.length);
}
