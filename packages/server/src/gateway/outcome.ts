import { withoutTokens } from '#domain/text';
import { visible, visibleJson } from '#domain/visible-text';
import { ERRORS, ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';
import { PROFILES, type Profile } from '#tools/profiles';
import type { Outcome, WireError } from './gateway.ts';

export interface Failure {
  readonly status: number;
  readonly error: WireError;
}

/** Details repeat names and values of the caller's own. */
const shown = (details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  JSON.parse(visibleJson(JSON.stringify(details)));

/** Turns whatever was thrown into what the caller may read. Words of anything unexpected stay in the log, under the same number. */
export function wireError(thrown: unknown, correlation_id: string, codes: Profile['codes'] = {}): Failure {
  const error =
    thrown instanceof ErrandError
      ? thrown
      : new ErrandError('internal', `Something went wrong on our side. Report it with the number ${correlation_id}.`);
  const { status, retryable } = ERRORS[error.code];

  return {
    status,
    error: {
      code: codes[error.code] ?? error.code,
      // Ids and names of the caller's own are quoted: what passes for one may be a token.
      message: withoutTokens(visible(error.message)),
      ...(error.details !== undefined && { details: shown(error.details) }),
      ...(error.hint !== undefined && { hint: error.hint }),
      retryable,
      ...(error.retry_after_ms !== undefined && { retry_after_ms: error.retry_after_ms }),
      correlation_id,
    },
  };
}

/** The failure of a call, in the codes of its profile. */
export const failure = (thrown: unknown, tool: Tool, correlation_id: string): Extract<Outcome, { ok: false }> => ({
  ok: false,
  ...wireError(thrown, correlation_id, PROFILES[tool.profile].codes),
});
