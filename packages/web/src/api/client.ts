import { defaults } from 'errand/client';
import { CallError } from 'errand/client/answer';

// The board is served by the server that it asks.
defaults.baseUrl = '';

/** Keeps calls from the server: while the session ends, each would be refused. They wait until nobody wants an answer. */
export function holdCalls(): void {
  defaults.fetch = () => new Promise(() => undefined);
}

/** Lets calls go to the server again. */
export function sendCalls(): void {
  delete defaults.fetch;
}

/** Says in one sentence why a call failed, for a message or an error frame. */
export function reasonOf(error: unknown): string {
  if (error instanceof CallError) return error.message;
  // `fetch` rejects with a TypeError when no answer came at all.
  if (error instanceof TypeError) return 'The server did not answer. It may be restarting.';
  // `String` would put the name of the class before the sentence.
  return error instanceof Error ? error.message : String(error);
}

/** True when the caller is not signed in, or no longer. */
export const isSignedOut = (error: unknown): boolean => error instanceof CallError && error.status === 401;

/** True when trying again without a change would fail again. */
export const isFinal = (error: unknown): boolean =>
  error instanceof CallError && !error.failure.retryable && error.status < 500;
