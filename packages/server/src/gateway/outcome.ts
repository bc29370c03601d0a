import { ERRORS, ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';
import { PROFILES, type Profile } from '#tools/profiles';
import type { Outcome } from './gateway.ts';

/** Turns whatever was thrown into what the caller may read. Words of anything unexpected stay in the log. */
export function failure(thrown: unknown, tool: Tool, correlation_id: string): Extract<Outcome, { ok: false }> {
  const error =
    thrown instanceof ErrandError
      ? thrown
      : new ErrandError('internal', `Something went wrong on our side. Report it with the number ${correlation_id}.`);
  const { status, retryable } = ERRORS[error.code];
  const profile: Profile = PROFILES[tool.profile];

  return {
    ok: false,
    status,
    error: {
      code: profile.codes[error.code] ?? error.code,
      message: error.message,
      ...(error.details !== undefined && { details: error.details }),
      ...(error.hint !== undefined && { hint: error.hint }),
      retryable,
      ...(error.retry_after_ms !== undefined && { retry_after_ms: error.retry_after_ms }),
      correlation_id,
    },
  };
}
