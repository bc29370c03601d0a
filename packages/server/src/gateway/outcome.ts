import { FULL_NAMES, followed, type Naming, textOf } from '#advice';
import { withoutTokens } from '#domain/text';
import { visible, visibleJson } from '#domain/visible-text';
import { ERRORS, ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';
import { PROFILES, type Profile } from '#tools/profiles';
import type { CallError, Refused, WireError } from './gateway.ts';

/** A failure in the words of its reader. */
export interface Failure {
  readonly status: number;
  readonly error: WireError;
}

/** Details repeat names and values of the caller. */
const shown = (details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  JSON.parse(visibleJson(JSON.stringify(details)));

/** The error that the caller reads. The text of an unexpected error stays in the log, under the same number. */
function readable(thrown: unknown, correlation_id: string, codes: Profile['codes'] = {}): Refused {
  const error =
    thrown instanceof ErrandError
      ? thrown
      : new ErrandError('internal', `Something went wrong on our side. Report it with the number ${correlation_id}.`);
  const { status, retryable } = ERRORS[error.code];

  return {
    ok: false,
    status,
    error: {
      code: codes[error.code] ?? error.code,
      message: error.words,
      ...(error.details !== undefined && { details: shown(error.details) }),
      ...(error.advice !== undefined && { hint: error.advice }),
      retryable,
      ...(error.retry_after_ms !== undefined && { retry_after_ms: error.retry_after_ms }),
      correlation_id,
    },
  };
}

/** An error as it goes over the wire, with tools and fields named as its reader knows them. */
export function worded<Error extends Omit<CallError, 'code'>>(error: Error, naming: Naming = FULL_NAMES) {
  const { hint = [], ...rest } = error;
  // Messages quote the caller's ids and names, and such a text may be a token.
  const message = withoutTokens(visible(textOf(error.message, naming)));
  const advice = followed(hint, naming).join(' ');
  return advice === '' ? { ...rest, message } : { ...error, message, hint: advice };
}

/** A failure before any tool is called. */
export function wireError(thrown: unknown, correlation_id: string): Failure {
  const { status, error } = readable(thrown, correlation_id);
  return { status, error: worded(error) };
}

/** The failure of a call, in the codes of its profile. */
export const failure = (thrown: unknown, tool: Tool, correlation_id: string): Refused =>
  readable(thrown, correlation_id, PROFILES[tool.profile].codes);
