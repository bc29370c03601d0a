import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The source address; on Linux any of 127.0.0.0/8. */
  readonly local_address?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request. Not `fetch`: it sets Host, Origin and Content-Length itself. */
export const send = (
  origin: string,
  { method = 'POST', path, headers = {}, body, local_address }: Sent,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const from = local_address === undefined ? {} : { localAddress: local_address };
    const outgoing = request(
      origin + path,
      { method, agent, ...from, headers: { ...length, ...headers } },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('error', reject);
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const sendJson = (origin: string, path: string, token: string, body: unknown, method = 'POST') =>
  send(origin, {
    method,
    path,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
