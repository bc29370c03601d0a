import { ErrandError } from '#errors';
import { SETTINGS } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'ERRAND_';

/** Set by Errand for the agents that it starts, and read by them alone. */
const SET_FOR_AGENTS = ['ERRAND_AGENT_SESSION_ID'] as const;

const KNOWN: readonly string[] = [...Object.values(SETTINGS).map(({ variable }) => variable), ...SET_FOR_AGENTS].filter(
  (name) => name.startsWith(PREFIX),
);

// Kubernetes and Docker set these for a service whose name begins with `errand`, for every program in the container.
const SERVICE_LINK = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const isServiceLink = (name: string, value: string): boolean =>
  SERVICE_LINK.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value));

/** How many letters must be added, removed or replaced to make one word of the other. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

function nearest(name: string): string {
  const [first] = KNOWN.map((known) => ({ known, far: distance(name, known) })).sort((a, b) => a.far - b.far);
  return first?.known ?? '';
}

/** Refuses a variable that has our prefix and is none of ours: what its author set it for would not happen. */
export function assertKnownVariables(env: Environment): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === '' || KNOWN.includes(name) || isServiceLink(name, value)) continue;
    throw new ErrandError(
      'validation_error',
      `${name}: Errand has no such setting; the nearest is ${nearest(name)}. Rename the variable or unset it.`,
    );
  }
}
