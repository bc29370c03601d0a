import type { IncomingMessage } from 'node:http';
import type { Gateway, Outcome } from '#gateway/gateway';
import { LazyCall } from '#gateway/lazy-call';
import { type Failure, worded } from '#gateway/outcome';
import type { Tool } from '#tools/catalog';
import type { Authenticate } from '#transports/bearer';
import { STEP_NAMING } from '#transports/cli/step-words';
import { namingFor, type Wording } from '#transports/cli/wording';
import { markAsCall, requestIdOf } from '#transports/request-id';
import { clientFactsIn } from '#transports/rest/client-facts';
import { createInputReader, keyHeader, type ReadInput, type RequestParts, readBody } from './input.ts';

interface Needs {
  readonly gateway: Pick<Gateway, 'dispatch' | 'visible'>;
  readonly authenticate: Authenticate;
}

interface RestCall extends Pick<RequestParts, 'params' | 'query'> {
  readonly tool: Tool;
  /** Whether the body holds the arguments. */
  readonly has_body: boolean;
  /** How a command line of another machine words refusals; null for other clients. */
  readonly wording: Wording | null;
  /** Whether the answer may carry messages. */
  readonly carries: boolean;
}

/** The answer, or a failure in the form of this API. */
type Called = Extract<Outcome, { readonly ok: true }> | ({ readonly ok: false } & Failure);

type CallTool = (req: IncomingMessage, call: RestCall) => Promise<Called>;

const LEAVE_MS = 1_000;

/** Makes the call of a request, for all roots of the API. */
export function createCallTool({ gateway, authenticate }: Needs): CallTool {
  const readers = new Map<Tool, ReadInput>();
  /** Made at the first call of a tool: the schemas of all tools would delay the start of the server. */
  const readerOf = (tool: Tool): ReadInput => {
    const reader = readers.get(tool) ?? createInputReader(tool);
    readers.set(tool, reader);
    return reader;
  };

  return async (req, { tool, params, query, has_body, wording, carries }) => {
    const known = await authenticate(req);
    const isWhole = req.complete;
    const body = has_body ? await readBody(req) : undefined;
    // The token may have been revoked while the body arrived.
    const caller = isWhole ? known : await authenticate(req);
    const input = readerOf(tool)({ params, query, body, idempotency_key: keyHeader(req) });
    markAsCall(req);
    const client_facts = clientFactsIn(req.headers);
    const connection = watchConnection(req);
    const call = {
      caller,
      tool,
      input,
      transport: 'rest' as const,
      correlation_id: requestIdOf(req),
      client_facts,
      // A command of a terminal prints what it asked for and nothing else.
      carries: carries && wording === null && client_facts?.source === undefined,
    };
    const outcome = await gateway.dispatch(new LazyCall(call, connection.closed));
    // The gateway learns from the connection whether an answer with messages has left.
    if (outcome.ok && outcome.messages !== undefined) setTimeout(connection.leave, LEAVE_MS).unref();
    else connection.leave();
    if (outcome.ok) return outcome;
    // `errand step` reports with the source `script`: its users type commands.
    const naming =
      client_facts?.source === 'script' ? STEP_NAMING : namingFor(wording ?? 'json', tool, gateway, caller);
    return { ...outcome, error: worded(outcome.error, naming) };
  };
}

/** Aborts a waiting call when its client hangs up. The listener is removed after the call: the connection may carry other requests. */
function watchConnection({ socket }: IncomingMessage) {
  let gone: AbortController | undefined;
  const abort = (): void => gone?.abort();
  return {
    closed: (): AbortSignal => {
      if (gone === undefined) {
        gone = new AbortController();
        if (socket.destroyed) abort();
        else socket.once('close', abort);
      }
      return gone.signal;
    },
    leave: (): void => {
      if (gone !== undefined) socket.off('close', abort);
    },
  };
}
