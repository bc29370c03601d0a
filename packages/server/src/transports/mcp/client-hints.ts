import { type CallContext, type ClientInfo, isObject } from '@errand/mcp';
import { takeHints } from '#gateway/take-hints';
import type { Hints } from '#transports/hints';

/** What the process itself knows of the client that started it. */
export type Surroundings = (client: ClientInfo | null) => Hints | undefined;

const CODEX_TURN = 'x-codex-turn-metadata';
// Browsers all send the same name, and a name without a version identifies no program.
const PROGRAM = /^(?!Mozilla\/)([\w.-]{1,100})\/(\d[\w.+-]{0,60})(?: |$)/;

interface Turn {
  readonly session_id?: unknown;
}

function programOf(user_agent: string | undefined): ClientInfo | null {
  const [, name, version] = user_agent === undefined ? [] : (PROGRAM.exec(user_agent) ?? []);
  return name === undefined || version === undefined ? null : { name, title: name, version };
}

function turnOf(value: unknown): Turn {
  if (isObject(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Who calls, as its client says with every call; nothing of it is checked. */
export function clientHints(
  { meta, client, user_agent }: Pick<CallContext<unknown>, 'meta' | 'client' | 'user_agent'>,
  surroundings: Surroundings | undefined,
): Hints | undefined {
  const known = client ?? programOf(user_agent);
  const turn = meta[CODEX_TURN];
  const around = surroundings?.(known);
  if (known === null && turn === undefined) return around;
  const told = takeHints({
    session_id: turn === undefined ? undefined : turnOf(turn).session_id,
    client: known === null ? undefined : `${known.title} ${known.version}`,
  });
  return around === undefined ? told : { ...around, ...told };
}
