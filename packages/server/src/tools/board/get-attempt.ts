import { z } from 'zod';
import { ChangedFile, OutsideFiles } from '#domain/attempt';
import { ATTEMPT_STATES } from '#domain/attempt-state';
import { RunStatus } from '#domain/run';
import { MAX_PATH_CHARACTERS } from '#domain/text';
import { Usage } from '#domain/usage';
import { defineTool } from '#tools/define';
import { time } from '#tools/time';
import { boardFields, shortName, uuid, uuidOrNull } from './fields.ts';
import { status, verdict } from './present.ts';
import { approvalBody, queuedRow, stepRow } from './present-attempt.ts';
import { checkRow, commentRow, messageRow, planEntry, pullRequestRow } from './present-parts.ts';
import { INCLUDES, wholeAttempt } from './present-whole-attempt.ts';

const run = z.object({
  execution_id: uuid('The run (UUID).'),
  session_id: uuidOrNull('The session that it belongs to (UUID); null for none.'),
  status: RunStatus.describe('Where it stands: queued, running, completed, failed, killed or interrupted.'),
  reason: z.string().nullable().describe('Why it stands there, where that is not plain.'),
  summary: z.string().nullable().describe('What the agent said at last; null for nothing.'),
  plan: z.array(planEntry).describe('What it plans; empty when it reported none.'),
  usage: Usage.nullable().describe('What it has cost; null where the agent does not say.'),
  started_at: time.describe('When it was queued (RFC 3339).'),
  ended_at: time.nullable().describe('When it ended (RFC 3339); null before that.'),
  current_step: stepRow.nullable().describe('The step that it is at; null when it reported no step.'),
  steps_done: z.int().describe('How many of its steps have ended.'),
  steps_total: z.int().describe('How many steps it reported.'),
  prompt: z.string().optional().describe('The prompt of the run; only with include "prompt".'),
});

const repo = z.object({
  repo_id: uuid('The repository (UUID).'),
  repo_name: z.string().describe('What it is called.'),
  target_branch: z.string().describe('The git branch that the changes are for.'),
  base_commit: z.string().nullable().describe('Where the branch of the attempt began; null before the first run.'),
  head_commit: z.string().nullable().describe('Where it ends; null before the first run has ended.'),
});

const MAX_DIFF_CHARACTERS = 100_000;

export const getAttempt = defineTool({
  name: 'get_attempt',
  title: 'Read an attempt',
  description:
    'Answers one attempt: its latest run, open questions, waiting messages and changes. Diff, files and prompt come with include.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /board/attempts/{attempt_id}',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    include: z
      .array(z.enum(INCLUDES))
      .max(INCLUDES.length)
      .default([])
      .describe('What to answer besides: diff, files, prompt, checks, comments; whole for what truncated names.'),
    path: z.string().min(1).max(MAX_PATH_CHARACTERS).optional().describe('Only the diff of this file.'),
    diff_offset: z.int().min(0).default(0).describe('diff.next_offset of the previous answer.'),
    diff_limit: z
      .int()
      .min(1_000)
      .max(MAX_DIFF_CHARACTERS)
      .default(8_000)
      .describe('At most so many characters of the diff, 1,000 to 100,000.'),
  }),
  output: z.object({
    attempt_id: uuid('Attempt (UUID).'),
    key: shortName('Short name, such as WEB-12.2; null for none.'),
    state: z
      .enum(ATTEMPT_STATES)
      .describe('Its state: queued, running, needs_you, review, failed, stopped, merged or archived.'),
    verdict,
    task: z
      .object({
        task_id: uuid('The task (UUID).'),
        key: shortName('Its short name; null for none.'),
        title: z.string().describe('Its title, as its author put it.'),
        status,
      })
      .describe('Its task.'),
    workspace_branch: z.string().describe('Its git branch.'),
    created_at: time.describe('Made (RFC 3339).'),
    updated_at: time.describe('Changed (RFC 3339).'),
    folders: z
      .enum(['none', 'kept', 'removal_requested', 'removal_refused'])
      .describe(
        'Its folders: "none", "kept", "removal_requested" after remove_attempt, "removal_refused" when something in them is nowhere else.',
      ),
    run: run.nullable().describe('Its latest run; null before there is one.'),
    pending_approvals: z.int().describe('Number of open questions.'),
    approvals: z.array(approvalBody).describe('Open questions for respond_approval.'),
    queued: z.int().describe('Number of waiting follow-ups.'),
    queue: z.array(queuedRow).describe('Waiting follow-ups.'),
    messages: z.array(messageRow).describe('Messages to its agent that were not read yet.'),
    pull_requests: z.array(pullRequestRow).describe('Its pull requests.'),
    changes: z
      .object({
        files: z.int().describe('How many files it changes.'),
        insertions: z.int().describe('Lines added, in all files.'),
        deletions: z.int().describe('Lines removed, in all files.'),
        commits: z.int().nullable().describe('Commits, in all repositories; null when not counted yet.'),
      })
      .describe('What its branch changes.'),
    outside: OutsideFiles.nullable().describe('Files left beside its repositories: in no commit; null for none.'),
    repos: z.array(repo).describe('Its repositories.'),
    sessions: z
      .array(
        z.object({
          session_id: uuid('The session (UUID), as follow_up takes it.'),
          executor: z.string().describe('The agent, as list_executors names it.'),
          variant: z.string().nullable().describe('The way it is run; null for its usual one.'),
          created_at: time.describe('Made (RFC 3339).'),
        }),
      )
      .describe('Its sessions, newest first.'),
    files: z
      .array(ChangedFile.extend({ repo_id: uuid('The repository (UUID).') }))
      .optional()
      .describe('Changed files; only with include "files".'),
    checks: z.array(checkRow).optional().describe('Checks; only with include "checks".'),
    comments: z.array(commentRow).optional().describe('Comments on lines; only with include "comments".'),
    diff: z
      .object({
        text: z
          .string()
          .describe('The changes as a patch, each repository under a line with its name where there are several.'),
        next_offset: z.int().optional().describe('Present when there is more: pass it as diff_offset.'),
        is_cut: z
          .boolean()
          .describe('Whether the patch was too long to be kept: the rest of it is on the branch only.'),
        is_exact: z
          .boolean()
          .describe(
            'Whether git can apply it: false when characters that nobody can see, or contents that are not text, are left out.',
          ),
      })
      .optional()
      .describe('Patch; only with include "diff", or with path.'),
    truncated: z.array(z.string()).optional().describe('What was shortened: ask for it with include "whole".'),
  }),
  run: async ({ input: { attempt_id, ...selection }, work, services }) =>
    wholeAttempt(await services.board.attempts.get(work, attempt_id), selection),
});
