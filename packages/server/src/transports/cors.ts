import type { IncomingMessage, ServerResponse } from 'node:http';

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Accept, Idempotency-Key, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, Traceparent, Errand-Profiles';

/** Lets pages of an allowed origin read the answer. True when the request was a preflight, which is then answered. */
export function allowOrigin(req: IncomingMessage, res: ServerResponse, origin: string): boolean {
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', 'Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate');
  res.setHeader('vary', 'Origin');
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false;

  res.writeHead(204, {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': '600',
  });
  res.end();
  return true;
}
