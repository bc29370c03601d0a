import type { IncomingMessage } from 'node:http';
import { TaskManagerError } from '#tools/task-manager';
import { ask } from './ask.ts';
import { type Failures, isFields } from './failures.ts';

const MAX_BYTES = 1_048_576;
const OK = 200;
const MULTIPLE_CHOICES = 300;
const BAD_REQUEST = 400;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Limits {
  readonly timeout_ms: number;
  /** Removes secrets from a text. */
  readonly clean: (text: string) => string;
}

/** Reads the text of an answer; null when it is too long. */
async function readBounded(body: IncomingMessage): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Safe: a stream without an encoding yields bytes.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection, so the rest is not received.
    if (bytes > MAX_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

// Small servers often leave the type out: such an answer is parsed all the same.
const mayBeJson = (type: string | undefined): boolean => type === undefined || /[/+]json\b/i.test(type);

/** Sends a request, and reads a small JSON object or nothing within the timeout. Rejects with `TaskManagerError`. */
export function createExchange(failures: Failures, { timeout_ms, clean }: Limits): typeof fetch {
  function jsonOf(text: string): unknown {
    try {
      return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? clean(value) : value));
    } catch {
      return undefined;
    }
  }

  async function read(response: IncomingMessage, status: number): Promise<string | TaskManagerError> {
    const { 'content-encoding': encoding = 'identity' } = response.headers;
    try {
      if (encoding.toLowerCase() !== 'identity') return failures.unreadable(status);
      return (await readBounded(response)) ?? failures.tooLong(status);
    } catch {
      return failures.unreadable(status);
    }
  }

  async function judged(response: IncomingMessage, signal: AbortSignal): Promise<Response> {
    const { statusCode: status = 0, headers } = response;
    // Following the redirect would send the token to another address.
    if (REDIRECTS.has(status)) throw failures.redirected(status);
    if (status < OK || (status >= MULTIPLE_CHOICES && status < BAD_REQUEST)) throw failures.undecided(status);
    const text = await read(response, status);
    if (signal.aborted) throw failures.timeout();
    const body = typeof text === 'string' && mayBeJson(headers['content-type']) ? jsonOf(text) : undefined;
    if (status >= BAD_REQUEST) throw failures.refused(status, body);
    if (typeof text !== 'string') throw text;
    if (text.trim() === '') return new Response(null, { status });
    if (!isFields(body)) throw failures.notJson(status);
    return Response.json(body, { status });
  }

  return async (input, init) => {
    const signal = AbortSignal.timeout(timeout_ms);
    let response: IncomingMessage | null = null;
    try {
      response = await ask(new Request(input, init), signal);
      return await judged(response, signal);
    } catch (error) {
      if (error instanceof TaskManagerError) throw error;
      throw signal.aborted ? failures.timeout() : failures.unreachable();
    } finally {
      response?.destroy();
    }
  };
}
