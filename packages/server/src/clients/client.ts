import type { ApiResponse, RequestOpts, SuccessResponse, WithHeaders } from '@oazapfts/runtime';

interface Access {
  /** The address of the server: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Null for calls that need no token. */
  readonly token: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

type Connection = Pick<RequestOpts, 'baseUrl' | 'fetch'> & { readonly headers: Readonly<Record<string, string>> };

/** The last argument of the generated functions: the server, the token and the headers to use. */
export const connectTo = ({ url, token, headers = {}, fetch }: Access): Connection => ({
  baseUrl: url.replace(/\/+$/, ''),
  headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
  ...(fetch && { fetch }),
});

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
  readonly correlation_id: string;
}

/** The error that the server answered. */
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
  const { error, error_code }: { readonly error?: unknown; readonly error_code?: unknown } = Object(answer);
  // Safe: the server writes every error object in this form.
  if (typeof error === 'object' && error !== null) return error as Failure;
  // The API for reports answers errors in another form, with a message only.
  return {
    code: typeof error_code === 'string' ? error_code : 'internal',
    message: typeof error === 'string' ? error : `The server answered with status ${status}.`,
    retryable: status === 429 || status >= 502,
    correlation_id: '',
  };
}

/** Returns the answer of a generated function. Rejects with `CallError` when the server refused the call. */
export async function answerOf<T extends WithHeaders<ApiResponse>>(call: Promise<T>): Promise<SuccessResponse<T>> {
  const { status, data } = await call;
  if (status < 200 || status > 299) throw new CallError(status, failureIn(data, status));
  return data;
}
