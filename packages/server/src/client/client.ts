import type { TOOLS } from '#tools/catalog';
import type { Definition } from '#tools/define';
import type { PROFILES, ProfileName } from '#tools/profiles';

type Catalogue = typeof TOOLS;

type Entry<Profile extends ProfileName, Tool> =
  Tool extends Definition<infer Name, infer Input, infer Output>
    ? {
        readonly name: `${(typeof PROFILES)[Profile]['prefix']}${Name}`;
        readonly input: Input;
        readonly output: Output;
      }
    : never;

type Entries = { [Profile in ProfileName]: Entry<Profile, Catalogue[Profile][number]> }[ProfileName];

/** The full name of a tool. */
export type ToolName = Entries['name'];
export type ToolInput<Name extends ToolName> = Extract<Entries, { readonly name: Name }>['input'];
export type ToolOutput<Name extends ToolName> = Extract<Entries, { readonly name: Name }>['output'];

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly token: string;
  readonly fetch?: typeof fetch;
}

export interface Client {
  /** Calls a tool by its full name. Rejects with `CallError` when the server says no. */
  readonly call: <Name extends ToolName>(
    name: Name,
    input: ToolInput<Name>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<ToolOutput<Name>>;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
  readonly correlation_id: string;
}

/** What the server answered instead of a result. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;
  readonly failure: Failure;

  constructor(status: number, failure: Failure) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
  }
}

function failureIn(answer: unknown, status: number): Failure {
  const { error, error_code }: { readonly error?: unknown; readonly error_code?: unknown } = answer ?? {};
  if (typeof error === 'object' && error !== null) return error as Failure;
  // Reports are answered in a form of their own, with the words alone.
  return {
    code: typeof error_code === 'string' ? error_code : 'internal',
    message: typeof error === 'string' ? error : `The server answered with status ${status}.`,
    retryable: status === 429 || status >= 502,
    correlation_id: '',
  };
}

/** Talks to an Errand server over REST, typed by its catalogue. */
export function createClient({ url, token, fetch: send = fetch }: ClientOptions): Client {
  const base = url.replace(/\/+$/, '');

  return {
    call: async (name, input, { signal } = {}) => {
      const response = await send(`${base}/api/v1/tools/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
        ...(signal && { signal }),
      });
      const answer: unknown = await response.json().catch(() => null);
      if (!response.ok) throw new CallError(response.status, failureIn(answer, response.status));
      // The server checks each answer against the tool's output before it sends it.
      return answer as ToolOutput<typeof name>;
    },
  };
}
