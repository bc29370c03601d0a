import type { IncomingMessage } from 'node:http';
import type { Gateway, Outcome } from '#gateway/gateway';
import type { Tool } from '#tools/catalog';
import type { Authenticate } from '#transports/bearer';
import { hintsOf } from '#transports/hints';
import { requestIdOf, toldElsewhere } from '#transports/request-id';
import { createInputReader, keyHeader, type ReadInput, type RequestParts, readBody } from './input.ts';

interface Needs {
  readonly tools: readonly Tool[];
  readonly gateway: Pick<Gateway, 'dispatch'>;
  readonly authenticate: Authenticate;
}

interface Asked extends Pick<RequestParts, 'params' | 'query'> {
  readonly tool: Tool;
  /** Whether the arguments come in the body. */
  readonly has_body: boolean;
}

type CallTool = (req: IncomingMessage, asked: Asked) => Promise<Outcome>;

/** Makes the call that a request asks for, wherever its address was found. */
export function createCallTool({ tools, gateway, authenticate }: Needs): CallTool {
  const readers = new Map<Tool, ReadInput>(tools.map((tool) => [tool, createInputReader(tool)]));

  return async (req, { tool, params, query, has_body }) => {
    const known = await authenticate(req);
    const isWhole = req.complete;
    const body = has_body ? await readBody(req) : undefined;
    // A body that comes later may come after its token was revoked.
    const caller = isWhole ? known : await authenticate(req);
    const input = readers.get(tool)?.({ params, query, body, idempotency_key: keyHeader(req) });
    toldElsewhere(req);
    const connection = watchConnection(req);
    const outcome = await gateway.dispatch({
      caller,
      tool,
      input,
      transport: 'rest',
      correlation_id: requestIdOf(req),
      hints: hintsOf(req.headers),
      get signal() {
        return connection.closed();
      },
    });
    connection.leave();
    return outcome;
  };
}

/** Tells a call that waits when its client hangs up. The connection may go on to other requests, so it is left again. */
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
    leave: (): void => void socket.off('close', abort),
  };
}
