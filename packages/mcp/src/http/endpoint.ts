import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFailures } from '#failures';
import type { McpHost } from '#host';
import { errorText, INVALID_REQUEST } from '#json-rpc';
import { createMemorySessions } from '#memory-sessions';
import type { SessionOptions } from '#sessions';
import { checkHost, checkOrigin, createGuard, hasOneHost } from './guard.ts';
import { createMcpHttp, type McpHttpOptions } from './http.ts';
import { writeJson } from './post-channel.ts';
import { Refusal } from './refusal.ts';

export interface EndpointOptions<Caller> extends Pick<McpHttpOptions<Caller>, 'report' | 'max_batch_bytes'> {
  /** Returns the caller. Called again when the body has arrived, and while a stream is open. Throws a `Refusal`. */
  readonly authenticate?: (headers: IncomingMessage['headers']) => Caller | Promise<Caller>;
  /** The store for sessions of 2025 clients: in memory unless given; `null` serves them without sessions. */
  readonly sessions?: SessionOptions<Caller> | null;
  /** Names of the server besides those of this machine: `name` for any port, `name:port` for one. */
  readonly allowed_hosts?: readonly string[];
  /** Origins of pages that may call the server, complete: `https://app.example.com`. */
  readonly allowed_origins?: readonly string[];
}

export interface Endpoint {
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** Ends the streams that do not end by themselves. */
  readonly close: () => void;
}

/** Serves one URL of a server: it checks Host and Origin, then the caller, then runs the protocol. */
export function createEndpoint<Caller>(
  host: McpHost<Caller>,
  options: EndpointOptions<Caller> = {},
  listening_on = '',
): Endpoint {
  const { report = () => undefined, authenticate, sessions = createMemorySessions<Caller>() } = options;
  const { max_batch_bytes, allowed_hosts = [], allowed_origins = [] } = options;
  const guard = createGuard({ host: listening_on, allowed_hosts, allowed_origins });
  const mcp = createMcpHttp(host, {
    report,
    failures: { ...createFailures(report), passesOn: (error) => error instanceof Refusal },
    ...(sessions !== null && { sessions }),
    ...(max_batch_bytes !== undefined && { max_batch_bytes }),
  });

  function guardProblem({ headers, rawHeaders }: IncomingMessage): string | null {
    const { host: name, origin } = headers;
    if (!hasOneHost(rawHeaders) || !checkHost(guard, name)) return 'This server has another Host.';
    return checkOrigin(guard, origin, name) ? null : 'Pages of that Origin may not call this server.';
  }

  return {
    handle: async (req, res) => {
      const problem = guardProblem(req);
      if (problem !== null) return refuse(res, new Refusal(403, problem));
      try {
        // Without `authenticate` all callers are the same.
        if (authenticate === undefined) return await mcp.handle(req, res, { caller: null as Caller });
        const confirm = async (): Promise<Caller> => authenticate(req.headers);
        await mcp.handle(req, res, { caller: await confirm(), confirm });
      } catch (error) {
        if (!(error instanceof Refusal)) report(error);
        if (res.headersSent) res.destroy();
        else refuse(res, error instanceof Refusal ? error : new Refusal(500, 'Internal error'));
      }
    },
    close: mcp.close,
  };
}

function refuse(res: ServerResponse, { status, message, headers }: Refusal): void {
  for (const [header, value] of Object.entries(headers)) res.setHeader(header, value);
  writeJson(res, status, errorText(undefined, INVALID_REQUEST, message));
}
