import { sendJson } from '../http.ts';
import type { Fields } from './two-servers.ts';

/** What a client learns of a call. `unsent` did nothing; of `unknown` nobody can say whether it did. */
export type Learned =
  | { readonly kind: 'ok'; readonly value: Fields }
  | { readonly kind: 'refused'; readonly code: string; readonly text: string }
  | { readonly kind: 'unsent' | 'unknown' };

export interface Request {
  readonly origin: string | null;
  readonly token: string;
  readonly tool: string;
  readonly args: object;
}

const isRefusedConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

export async function callOnce({ origin, token, tool, args }: Request): Promise<Learned> {
  if (origin === null) return { kind: 'unsent' };
  try {
    const { status, text } = await sendJson(origin, `/api/v1/tools/${tool}`, token, args);
    const body = JSON.parse(text) as Fields & {
      readonly error?: { readonly code?: unknown; readonly retryable?: boolean };
    };
    // The database or the server was about to go, or busy: the call may have taken effect.
    if (body.error?.retryable === true) return { kind: 'unknown' };
    if (status < 300) return { kind: 'ok', value: body };
    return { kind: 'refused', code: String(body.error?.code ?? status), text };
  } catch (error) {
    return { kind: isRefusedConnection(error) ? 'unsent' : 'unknown' };
  }
}
