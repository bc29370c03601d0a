import type { IncomingMessage, RequestOptions } from 'node:http';
import { say } from '#advice';
import { ErrandError } from '#errors';
import { withoutToken } from './without-token.ts';

interface Access {
  /** The address of the server: `https://errand.example.com`. */
  readonly url: string;
  readonly token: string | null;
}

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
}

interface Received {
  readonly status: number;
  /** Undefined when it is no JSON. */
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
}

interface SentRequest {
  readonly path: string;
  readonly body: string;
  readonly timeout_ms: number;
}

/** The largest answer that is read. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const ADDRESS = say`Does the server run (${{ command: 'serve' }} starts it there), and is the address right? ${{ setting: 'ERRAND_URL' }} or ${{ command: 'login' }} sets it.`;

const notReachable = (message: string): ErrandError => new ErrandError('not_reachable', message, { hint: ADDRESS });

/** The words of the system for a connection that failed: "connect ECONNREFUSED 127.0.0.1:8080". */
const reasonOf = (error: unknown): string => (error instanceof Error && error.message !== '' ? error.message : '');

async function readAll(response: IncomingMessage, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Safe: a stream without an encoding yields bytes.
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw notReachable(`The answer of ${url} is longer than 64 MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Calls the tools of a server by their names. Rejects with `not_reachable` when no Errand answers there. */
export function createRemoteTools({ url, token }: Access) {
  const clean = withoutToken(token);

  function send(path: string, body: string, options: RequestOptions): Promise<IncomingMessage> {
    // `import` would also load Node's WebSocket, which takes as long as the rest of a command.
    const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
    return new Promise((resolve, reject) => {
      // Connections are not reused: the server may close one just when it is used again.
      request(`${url}${path}`, { ...options, agent: false })
        .once('response', resolve)
        .on('error', reject)
        // An answer that changes the protocol closes without an error; without this, the wait would never end.
        .once('close', () => reject(new Error('closed without an answer')))
        .end(body);
    });
  }

  async function received(response: IncomingMessage): Promise<Received> {
    const { statusCode: status = 0, headers } = response;
    // Following the redirect would send the token to another address.
    if (REDIRECTS.has(status)) {
      throw notReachable(`${url} sends callers on to ${headers.location ?? 'another address'}, which is not followed.`);
    }
    const text = await readAll(response, url);
    return { status, body: jsonOf(text), headers };
  }

  /** Sends one request and reads the answer, both within the timeout. */
  async function exchange({ path, body, timeout_ms }: SentRequest, options: RequestOptions) {
    const timeout = AbortSignal.timeout(timeout_ms);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
    let response: IncomingMessage | null = null;
    try {
      response = await send(path, body, { ...options, signal });
      return await received(response);
    } catch (error) {
      if (error instanceof ErrandError) throw error;
      if (timeout.aborted) {
        throw notReachable(
          `${url} did not answer within ${timeout_ms / 1_000} s. What you asked for may still be done.`,
        );
      }
      throw notReachable(`No Errand answers at ${url}${reasonOf(error) && `: ${clean(reasonOf(error))}`}.`);
    } finally {
      response?.destroy();
    }
  }

  return {
    url,
    has_token: token !== null,

    post: (full_name: string, input: object, { headers, timeout_ms, signal }: PostOptions): Promise<Received> =>
      exchange(
        { path: `/api/v1/tools/${encodeURIComponent(full_name)}`, body: JSON.stringify(input), timeout_ms },
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'accept-encoding': 'identity',
            ...headers,
            ...(token !== null && { authorization: `Bearer ${token}` }),
          },
          ...(signal && { signal }),
        },
      ),
  };
}
