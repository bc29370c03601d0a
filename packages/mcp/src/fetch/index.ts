import type { McpHost } from '#host';
import { createEndpoint, type EndpointOptions } from '#http/endpoint';
import { requestOf, responseOf } from './exchange.ts';

export { Refusal, unauthorized } from '#http/refusal';

export interface FetchHandler {
  /** Answers one request. A streamed response resolves before its end. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends the streams that do not end by themselves. */
  readonly close: () => void;
}

/** Serves requests of the Fetch API, such as those of Hono. */
export function createFetchHandler<Caller>(
  server: McpHost<Caller>,
  options: EndpointOptions<Caller> = {},
): FetchHandler {
  const endpoint = createEndpoint(server, options);
  return {
    fetch: (request) => {
      const { res, response } = responseOf();
      void endpoint.handle(requestOf(request), res);
      return response;
    },
    close: endpoint.close,
  };
}

/** The part of Hono's context that is used here. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
}

/** A handler for Hono: `app.all('/mcp', mcp(server))`. */
export function mcp<Caller>(
  server: McpHost<Caller>,
  options: EndpointOptions<Caller> = {},
): (context: HonoContext) => Promise<Response> {
  const { fetch } = createFetchHandler(server, options);
  return ({ req }) => fetch(req.raw);
}
