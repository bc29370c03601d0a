import { hash } from 'node:crypto';

// Most texts are plain, and for them this is much faster than `JSON.stringify`.
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** The names of a kind of thing, sorted, each as it begins a member of an object. */
interface Names {
  readonly asked: readonly string[];
  readonly sorted: readonly string[];
  readonly heads: readonly string[];
}

/** How many kinds of things keep their sorted names: sorting takes longer than the rest. */
const MAX_KINDS = 16;
let kinds: readonly Names[] = [];

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) if (one[i] !== other[i]) return false;
  return true;
}

function namesOf(asked: readonly string[]): Names {
  for (const known of kinds) if (isSame(known.asked, asked)) return known;
  const sorted = asked.toSorted();
  const names = { asked, sorted, heads: sorted.map((name) => `${quoted(name)}:`) };
  kinds = [names, ...kinds.slice(0, MAX_KINDS - 1)];
  return names;
}

/** JSON with sorted keys: equal values read the same, whatever order they came in. Leaves out one name of the value itself. */
function canonical(value: unknown, without?: string): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry)).join(',')}]`;
  // Neither null nor a list, by the checks above.
  const fields = value as Readonly<Record<string, unknown>>;
  const { sorted, heads } = namesOf(Object.keys(fields));
  let text = '';
  for (let i = 0; i < sorted.length; i += 1) {
    const name = sorted[i] ?? '';
    const field = fields[name];
    if (field === undefined || name === without) continue;
    text += `${text === '' ? '' : ','}${heads[i]}${canonical(field)}`;
  }
  return `{${text}}`;
}

/** The fingerprint of a call without its idempotency key. The arguments must be validated: their depth and numbers are then safe. */
export function fingerprint(tool: string, args: Record<string, unknown>): string {
  return hash('sha256', `${tool}\n${canonical(args, 'idempotency_key')}`);
}

/** The fingerprint of a thing for the audit trail: it shows whether two states are equal, and reveals no content. */
export const digest = (thing: unknown): string => hash('sha256', canonical(thing));

/** The same without one field of the thing: of each, when there are several. */
export function digestWithout(field: string, things: readonly unknown[]): string {
  const texts = things.map((thing) => canonical(thing, field));
  return hash('sha256', texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(',')}]`);
}
