import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { createFailures } from './failures.ts';
import { waitMs } from './retry-after.ts';

const MAX_BYTES = 2_000_000;
const NOT_THERE = 404;
const TOO_MANY = 429;
const CONFLICT = 409;
const MAX_TRIES = 3;

export interface PlaneAccess {
  readonly base_url: string;
  readonly api_key: string;
  readonly workspace_slug: string;
}

export type Query = Readonly<Record<string, string | number>>;

export interface PlaneRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly address: string;
  readonly body?: unknown;
  /** Whether this request, or one before it, changes Plane: when it fails, the change may have been done. */
  readonly may_be_done: boolean;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is no JSON. */
  readonly body: unknown;
}

/** Created, or found as created before under the same external id. */
export type Made<T> = { readonly made: T } | { readonly existing_id: string };

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`the answer has more than ${MAX_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const textAt = (body: unknown, key: string): string | null => {
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown = Reflect.get(body, key);
  return typeof value === 'string' ? value : null;
};

interface Times {
  readonly timeout_ms: number;
  readonly clock: () => number;
}

/**
 * Sends requests to one workspace of Plane, for a call with a deadline. Every unexpected answer
 * becomes an `ErrandError`.
 */
export function createPlaneClient({ base_url, api_key, workspace_slug }: PlaneAccess, { timeout_ms, clock }: Times) {
  const failures = createFailures({ api_key, base_url });
  const root = `${base_url}/api/v1/workspaces/${encodeURIComponent(workspace_slug)}/`;

  const addressOf = (path: readonly string[], query: Query = {}): string => {
    // A URL drops segments of dots, and with them the segment before.
    if (path.some((segment) => /^\.{0,2}$/.test(segment))) throw failures.notThere();
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) asked.set(name, String(value));
    return `${root}${path.map(encodeURIComponent).join('/')}/${asked.size > 0 ? '?' : ''}${asked}`;
  };

  async function askOnce({ method, address, body, may_be_done }: PlaneRequest, signal: AbortSignal): Promise<Reply> {
    try {
      const response = await fetch(address, {
        method,
        // Following a redirect would send the key to another address.
        redirect: 'manual',
        headers: { 'x-api-key': api_key, accept: 'application/json', 'content-type': 'application/json' },
        signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: jsonOf(await readBounded(response)) };
    } catch (cause) {
      throw failures.unreachable(may_be_done, cause);
    }
  }

  // Plane counts requests before it acts: a request that was refused as too many was not done, and can be repeated.
  async function ask(request: PlaneRequest, call_deadline: number): Promise<Reply> {
    const left_ms = Math.min(timeout_ms, call_deadline - clock());
    if (left_ms <= 0) throw failures.outOfTime();
    const deadline = clock() + left_ms;
    const signal = AbortSignal.timeout(left_ms);
    for (let tries = 1; ; tries++) {
      const reply = await askOnce(request, signal);
      if (reply.status !== TOO_MANY) return reply;
      const wait = waitMs(reply.headers, tries, clock());
      if (tries === MAX_TRIES || clock() + wait >= deadline) throw failures.tooMany(wait);
      await sleep(wait);
    }
  }

  function parsed<T>(schema: z.ZodType<T>, { status, body }: Reply, request: PlaneRequest): T {
    if (status < 200 || status > 299) throw failures.refused(status, body, request);
    const outcome = schema.safeParse(body);
    if (outcome.success) return outcome.data;
    throw failures.garbage(outcome.error, request.may_be_done);
  }

  // A path that Plane does not know is a wrong setting, not a deleted thing.
  const isGone = ({ status, body }: Reply): boolean =>
    status === NOT_THERE && textAt(body, 'error') !== null && textAt(body, 'error') !== 'Page not found.';

  return (deadline: number) => {
    let hasChanged = false;

    return {
      failures,
      clock,

      /** Null when it is not found. */
      get: async <T>(schema: z.ZodType<T>, path: readonly string[], query: Query = {}): Promise<T | null> => {
        const request: PlaneRequest = { method: 'GET', address: addressOf(path, query), may_be_done: hasChanged };
        const reply = await ask(request, deadline);
        return isGone(reply) ? null : parsed(schema, reply, request);
      },

      patch: async <T>(schema: z.ZodType<T>, path: readonly string[], body: unknown): Promise<T> => {
        const request: PlaneRequest = { method: 'PATCH', address: addressOf(path), body, may_be_done: true };
        hasChanged = true;
        const reply = await ask(request, deadline);
        if (isGone(reply)) throw failures.notThere();
        return parsed(schema, reply, request);
      },

      post: async <T>(schema: z.ZodType<T>, path: readonly string[], body: unknown): Promise<Made<T>> => {
        const request: PlaneRequest = { method: 'POST', address: addressOf(path), body, may_be_done: true };
        hasChanged = true;
        const reply = await ask(request, deadline);
        const existing_id = reply.status === CONFLICT ? textAt(reply.body, 'id') : null;
        if (existing_id !== null) return { existing_id };
        if (isGone(reply)) throw failures.notThere();
        return { made: parsed(schema, reply, request) };
      },
    };
  };
}

export type PlaneClient = ReturnType<ReturnType<typeof createPlaneClient>>;
