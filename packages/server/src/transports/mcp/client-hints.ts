import { takeHints } from '#gateway/take-hints';
import type { Hints } from '#transports/hints';
import { isObject, type JsonObject } from '#transports/json';
import { CLIENT_INFO } from './versions.ts';

/** What a client calls itself. */
export interface ClientInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** What the process itself knows of the client that started it. */
export type Surroundings = (client: ClientInfo | null) => Hints | undefined;

export interface ClientTold {
  readonly meta: JsonObject;
  /** From `initialize`, where that is remembered. */
  readonly client: ClientInfo | null;
  readonly user_agent: string | undefined;
  readonly surroundings: Surroundings | undefined;
}

const CODEX_TURN = 'x-codex-turn-metadata';
// What every browser says tells nothing, and neither does a name without a version.
const PROGRAM = /^(?!Mozilla\/)([\w.-]{1,100})\/(\d[\w.+-]{0,60})(?: |$)/;

interface Told {
  readonly name?: unknown;
  readonly title?: unknown;
  readonly version?: unknown;
  readonly session_id?: unknown;
}

export function clientInfoOf(value: unknown): ClientInfo | null {
  if (!isObject(value)) return null;
  const { name, title, version }: Told = value;
  if (typeof name !== 'string') return null;
  return {
    name,
    title: typeof title === 'string' ? title : name,
    version: typeof version === 'string' ? version : '',
  };
}

function programOf(user_agent: string | undefined): ClientInfo | null {
  const [, name, version] = user_agent === undefined ? [] : (PROGRAM.exec(user_agent) ?? []);
  return name === undefined || version === undefined ? null : { name, title: name, version };
}

function turnOf(value: unknown): Told {
  if (isObject(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Who calls, from what its client sends along with every call; nobody has checked any of it. */
export function clientHints({ meta, client, user_agent, surroundings }: ClientTold): Hints | undefined {
  const known = clientInfoOf(meta[CLIENT_INFO]) ?? client ?? programOf(user_agent);
  const turn = meta[CODEX_TURN];
  const around = surroundings?.(known);
  if (known === null && turn === undefined) return around;
  const told = takeHints({
    session_id: turn === undefined ? undefined : turnOf(turn).session_id,
    client: known === null ? undefined : `${known.title} ${known.version}`,
  });
  return around === undefined ? told : { ...around, ...told };
}
