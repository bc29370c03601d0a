import type { Migration } from './migration.ts';

/** Merges, rebases and pull requests that a worker carries out, and the pull requests whose state it asks for. */
export const gitJobs: Migration = {
  name: '0016-git-jobs',
  text: ({ text, bigint }) => `
create table git_jobs (
  id ${text} primary key,
  operation_id ${text} not null unique,
  workspace_id ${text} not null references workspaces (id),
  project_id ${text} not null references projects (id),
  attempt_id ${text} not null references attempts (id) on delete cascade,
  kind ${text} not null,
  mode ${text},
  request ${text} not null,
  status ${text} not null,
  phase ${text} not null,
  plan ${text},
  result ${text},
  host_id ${text},
  worker_id ${text},
  epoch ${bigint} not null,
  lease_until ${bigint},
  user_id ${text} not null references users (id),
  agent_id ${text} references agents (id),
  created_at ${bigint} not null,
  ended_at ${bigint}
);
create index waiting_jobs on git_jobs (host_id, created_at) where ended_at is null;
create index jobs_of_attempt on git_jobs (attempt_id, created_at desc);

create table pr_watch (
  attempt_id ${text} primary key references attempts (id) on delete cascade,
  host_id ${text} not null,
  next_at ${bigint} not null
);
create index watched_requests on pr_watch (host_id, next_at);
`,
};
