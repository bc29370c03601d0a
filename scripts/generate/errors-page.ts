import { ERRORS, type ErrorCode } from '../../packages/server/src/errors.ts';
import { PROFILES, type Profile } from '../../packages/server/src/tools/profiles.ts';
import { code, page, table } from './markdown.ts';

const MEANINGS: Record<ErrorCode, string> = {
  validation_error: 'An argument is missing, unknown or not of its form; `details.fields` names each.',
  unauthenticated: 'The token is missing, unknown, expired or revoked, or its owner is blocked.',
  insufficient_scope: 'The token lacks the scope of the tool.',
  unauthorized: 'It belongs to someone for whom this token may not act.',
  project_not_granted: 'The agent has no grant for that project.',
  move_not_granted: 'The grant does not permit to complete, or to cancel, work in that project.',
  membership_managed_externally: 'Who belongs to projects is decided in another system.',
  forbidden_host: 'The Host or the Origin of the request is not on the list.',
  not_found: 'There is no such thing.',
  unknown_tool: 'There is no tool of that name.',
  method_not_allowed: 'The path exists, for the methods in `Allow`.',
  conflict: 'It has changed meanwhile, or exists already.',
  version_conflict: 'The card was changed since the version that was expected; read it again.',
  completion_blocked: 'The project wants all checkers of a card checked before it is completed.',
  idempotency_key_conflict: 'The key was used before with other arguments.',
  idempotency_key_in_progress: 'The first call with that key still runs.',
  payload_too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type: 'The body is not `application/json`.',
  rate_limited: 'Too many failed attempts came from that address.',
  internal: 'A fault of Errand; the log knows more under the correlation id.',
  overloaded: 'Too much is running at once.',
  tracker_unavailable: 'The tracker behind Errand is away, or answered what cannot be read.',
  database_error:
    'The database is away, busy or full. Nothing was changed, unless the message says that a change was not confirmed: then repeat it with the same key.',
};

function spellings(name: ErrorCode): string {
  const profiles: [string, Profile][] = Object.entries(PROFILES);
  const found = profiles.flatMap(([profile, { codes }]) => {
    const spelling = codes[name];
    return spelling === undefined ? [] : [`${code(spelling)} (${profile})`];
  });
  return found.join(', ');
}

export function errorsPage(): string {
  // The keys of the table are its codes.
  const names = Object.keys(ERRORS) as ErrorCode[];
  return page(
    '# Errors',
    'Every failure has the same form, whichever way the call came. Over MCP it is `structuredContent.error` of a result with `isError: true`; over REST it is the body, with the status below; on the command line `--json` writes it to stderr.',
    '```json\n{"error": {"code": "…", "message": "…", "details": {}, "hint": "…", "retryable": false, "retry_after_ms": 1000, "correlation_id": "…"}}\n```',
    '`message` says what happened, `hint` what to do next. Repeat a call unchanged only when `retryable` is true, after `retry_after_ms` when it is given, and with the same `idempotency_key`. `correlation_id` finds the call in the logs.',
    table(
      ['code', 'HTTP status', 'retryable', 'what it means', 'spelled differently'],
      names.map((name) => [
        code(name),
        String(ERRORS[name].status),
        ERRORS[name].retryable ? 'yes' : 'no',
        MEANINGS[name],
        spellings(name),
      ]),
    ),
  );
}
