import { hash } from 'node:crypto';

/** JSON with sorted keys: equal values read the same, whatever order they came in. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${entries.join(',')}}`;
}

/** What a call asks for, apart from its idempotency key. The arguments must have been validated: depth and numbers are safe then. */
export function fingerprint(tool: string, { idempotency_key: _, ...args }: Record<string, unknown>): string {
  return hash('sha256', `${tool}\n${canonical(args)}`);
}

/** A thing as the audit trail keeps it: enough to tell whether it was the same, nothing of what it says. */
export const digest = (thing: unknown): string => hash('sha256', canonical(thing));
