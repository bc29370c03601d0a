import { createFailures } from '../../packages/server/src/clients/failures.ts';
import { ERRORS, type ErrorCode } from '../../packages/server/src/errors.ts';
import { PROFILES, type Profile } from '../../packages/server/src/tools/profiles.ts';
import type { TaskManagerError } from '../../packages/server/src/tools/task-manager.ts';
import { code, page, table } from './markdown.ts';

const MEANINGS: Record<ErrorCode, string> = {
  validation_error: 'An argument is missing, unknown or not of its form; `details.fields` names each.',
  ambiguous: 'A name or the start of an id can mean several things; `details.candidates` lists them.',
  server_not_running: 'No server runs on this database, or none answers.',
  unauthenticated: 'The token is missing, unknown, expired or revoked, or its owner is blocked.',
  insufficient_scope: 'The token lacks the scope of the tool.',
  unauthorized: 'It belongs to someone for whom this token may not act.',
  project_not_granted: 'The agent has no grant for that project.',
  move_not_granted: 'The grant does not permit to complete, or to cancel, work in that project.',
  membership_managed_externally: 'Who belongs to projects is decided in another system.',
  forbidden_host: 'The Host or the Origin of the request is not on the list.',
  cross_site: 'A page of another server has used the cookie of a signed-in browser.',
  not_found: 'There is no such thing.',
  unknown_tool: 'There is no tool of that name.',
  method_not_allowed: 'The path exists, for the methods in `Allow`.',
  conflict: 'It has changed meanwhile, exists already, or has ended: a run, a work session.',
  version_conflict: 'The card was changed since the version that was expected; read it again.',
  completion_blocked: 'The project wants all checkers of a card checked before it is completed.',
  no_session: 'The attempt has no session yet that a follow-up could go to.',
  task_blocked: 'The task waits for others that are not completed; `details.blocked_by` names them.',
  claim_lost: 'The claim on the task has ended, or someone else has it by now. Nothing was changed.',
  run_in_progress: 'An agent is at work in that attempt: queue the message, or wait until the run has ended.',
  merge_in_progress: 'A merge, rebase or pull request of that attempt, or of another one at its task, is under way.',
  budget_exceeded: 'The budget of the run, the task, the project or the agent is used up.',
  executor_unavailable: 'No worker offers that executor in a state in which it can run.',
  idempotency_key_conflict: 'The key was used before with other arguments.',
  idempotency_key_in_progress: 'The first call with that key still runs.',
  payload_too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type: 'The body is not `application/json`.',
  rate_limited: 'Too many failed attempts came from that address, or the token has too many event streams open.',
  schema_outdated: 'The database is of an older version of Errand; `errand migrate` brings it up to date.',
  database_damaged:
    'The database holds what cannot be read. Nothing is changed until the operator of the server has restored it from a backup.',
  database_replaced:
    'The file of the database was removed, moved or replaced while the server used it. Nothing is changed until it is back, or the server is started again.',
  internal: 'A fault of Errand; the log knows more under the correlation id.',
  no_worker: 'No worker runs on the machine that has the repositories.',
  not_reachable: 'No server answers at the address that the command line was given.',
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

const asked = createFailures('http://HOST:PORT');

/** The reasons why a reporter got no answer of the table, with their meaning. */
const UNANSWERED: readonly (readonly [TaskManagerError, string])[] = [
  [
    asked.timeout(),
    'No answer came within `TASK_MANAGER_TIMEOUT`. It may have been done: repeat it with the same `idempotency_key`.',
  ],
  [
    asked.unreachable(),
    'There is no connection, or it broke: look at `TASK_MANAGER_HOST` and `TASK_MANAGER_PORT`, and whether the server runs. Repeat it with the same `idempotency_key`.',
  ],
  [
    asked.notJson(200),
    'What answered is not a Task Manager, or something stands in between: a redirect, a page, more than 1 MiB.',
  ],
  [asked.refused(502, {}), 'A status of 400 or more, without a code of its own.'],
  [asked.refused(200, { success: false }), 'A status of success with `"success": false`, without a code of its own.'],
  [asked.unhealthy(200, {}), 'Only from `health_check`: the Task Manager says that it is not well.'],
];

export function errorsPage(): string {
  // The cast: the keys of the table are its codes.
  const names = Object.keys(ERRORS) as ErrorCode[];
  return page(
    '# Errors',
    'Every failure has the same form, whichever way the call came; [reports of runs](#reports-of-runs) have a shorter one. Over MCP it is `structuredContent.error` of a result with `isError: true`; over REST it is the body, with the status below; on the command line `--json` writes it to stderr.',
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
    '## Reports of runs',
    'The four tools that report, over MCP and at `/api/v1`, put the message and the hint into one text:',
    '```json\n{"success": false, "error": "…", "error_code": "…", "status_code": 409}\n```',
    'The Task Manager API, at `/api/executions` and `/api/health`, answers with the status itself:',
    '```json\n{"error": "…", "error_code": "…"}\n```',
    'Both add `valid_statuses` when a status was given that there is not. The codes are those of the table. Repeat a call unchanged after a status of 429 or 503, and after `idempotency_key_in_progress`, with the same key; over HTTP, `Retry-After` says when, if that is known.',
    'The reporter over stdio and `errand step` ask a Task Manager elsewhere and hand on the code that it gives. Where it gives none, the code is one of these, and `status_code` is there if there was an answer:',
    table(
      ['error_code', 'such as', 'what it means'],
      UNANSWERED.map(([{ error_code = '', message }, meaning]) => [code(error_code), message, meaning]),
    ),
  );
}
