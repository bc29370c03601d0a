import type { Migration } from './migration.ts';

/**
 * Messages and follow-ups keep whether their sender could start a run. A message of an older server starts none: nobody knows
 * what its token could do. Each kind of what waits for a person is found by an index of its own.
 */
export const rightsOfWords: Migration = {
  name: '0023-rights-of-words',
  text: ({ bigint }) => `
alter table agent_messages add column may_run ${bigint} not null default 0;
alter table queued_prompts add column may_run ${bigint} not null default 1;
create index open_approvals on approvals (created_at, id) where status = 'pending';
create index resting_attempts on attempts (workspace_id, run_status, updated_at, id)
  where archived_at is null and merged_at is null;
create index stalled_runs on executions (workspace_id, coalesce(seen_at, started_at), id)
  where status = 'running' and liveness = 'stalled';
create index failed_jobs on git_jobs (workspace_id, ended_at, id) where status = 'failed';
`,
};
