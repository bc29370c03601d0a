import { type CallContext, type ClientInfo, isObject } from '@errand/mcp';
import { takeClientFacts } from '#gateway/take-client-facts';
import type { ClientFacts } from '#transports/rest/client-facts';

/** The facts that the process itself has about the client that started it. */
export type Surroundings = (client: ClientInfo | null) => ClientFacts | undefined;

const CODEX_TURN = 'x-codex-turn-metadata';
// All browsers send the same name, and a name without a version identifies no program.
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

/** The facts that a client sends with every call. None of them is checked. */
export function clientFactsOf(
  { meta, client, user_agent }: Pick<CallContext<unknown>, 'meta' | 'client' | 'user_agent'>,
  surroundings: Surroundings | undefined,
): ClientFacts | undefined {
  const known = client ?? programOf(user_agent);
  const turn = meta[CODEX_TURN];
  const around = surroundings?.(known);
  if (known === null && turn === undefined) return around;
  const sent = takeClientFacts({
    session_id: turn === undefined ? undefined : turnOf(turn).session_id,
    client: known === null ? undefined : `${known.title} ${known.version}`,
  });
  return around === undefined ? sent : { ...around, ...sent };
}
