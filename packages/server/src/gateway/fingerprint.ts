import { hash } from 'node:crypto';

// Most texts are plain, and for them this is much faster than `JSON.stringify`.
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** JSON with sorted keys: equal values read the same, whatever order they came in. Leaves out one name of the value itself. */
function canonical(value: unknown, without?: string): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry)).join(',')}]`;
  // Neither null nor a list, by the checks above.
  const fields = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined && key !== without) text += `${text === '' ? '' : ','}${quoted(key)}:${canonical(field)}`;
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
