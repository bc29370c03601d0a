import type { Migration } from './migration.ts';

// Queries make theirs of the list of priorities, and use the index while that says the same.
const PRIORITY_RANK =
  "case priority when 'urgent' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end";

// Beside their tables: programs of the release before select every column of these two, and fail once there is one more.
const BESIDE = (text: string): string => `
create table setup_scripts (
  repo_id ${text} primary key references repos (id) on delete cascade,
  script ${text}
);

create table attempt_tokens (
  token_id ${text} primary key references tokens (id) on delete cascade,
  attempt_id ${text} not null,
  project_id ${text} not null references projects (id)
);
`;

// The history of runs outlives attempts, and a token stays bound to one that was deleted: neither refers to them.
const EXECUTIONS = (text: string): string => `
alter table executions add column attempt_id ${text};
alter table executions add column session_id ${text};
create index runs_of_attempt on executions (attempt_id, id) where attempt_id is not null;
create index queued_runs on executions (id) where status = 'queued' and attempt_id is not null;
create index running_runs on executions (attempt_id, id) where status = 'running' and attempt_id is not null;
`;

export const board: Migration = {
  name: '0004-board',
  text: ({ text, bigint }) => `
${BESIDE(text)}
${EXECUTIONS(text)}
create index items_of_state on work_items (project_id, state_id, id);
create index candidates on work_items (state_id, (${PRIORITY_RANK}), sort_order, id) where completed_at is null;

create table attempts (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  project_id ${text} not null references projects (id),
  work_item_id ${text} not null references work_items (id) on delete cascade,
  branch ${text} not null,
  host_id ${text},
  removal ${text},
  run_status ${text},
  created_by_user_id ${text} not null references users (id),
  created_by_agent_id ${text} references agents (id),
  created_at ${bigint} not null,
  updated_at ${bigint} not null
);
create index attempts_of_item on attempts (work_item_id, created_at desc, id);
create index removals on attempts (host_id, id) where removal in ('requested', 'removing');

create table attempt_repos (
  attempt_id ${text} not null references attempts (id) on delete cascade,
  repo_id ${text} not null references repos (id),
  target_branch ${text} not null,
  base_commit ${text},
  head_commit ${text},
  files ${text},
  patch ${text},
  is_patch_cut ${bigint} not null,
  is_set_up ${bigint} not null,
  primary key (attempt_id, repo_id)
);

create table leftover_folders (
  attempt_id ${text} primary key,
  host_id ${text} not null,
  body ${text} not null
);
create index leftovers_of_host on leftover_folders (host_id, attempt_id);

create table sessions (
  id ${text} primary key,
  attempt_id ${text} not null references attempts (id) on delete cascade,
  executor ${text} not null,
  variant ${text},
  agent_session_id ${text},
  created_at ${bigint} not null,
  updated_at ${bigint} not null
);
create index sessions_of_attempt on sessions (attempt_id, created_at desc, id);

create table queued_prompts (
  id ${text} primary key,
  session_id ${text} not null references sessions (id) on delete cascade,
  prompt ${text} not null,
  variant ${text},
  status ${text} not null,
  execution_id ${text},
  user_id ${text} not null references users (id),
  agent_id ${text} references agents (id),
  created_at ${bigint} not null
);
create index prompts_of_session on queued_prompts (session_id, status, created_at, id);

create table runs (
  execution_id ${text} primary key references executions (id) on delete cascade,
  attempt_id ${text} not null references attempts (id) on delete cascade,
  session_id ${text} not null references sessions (id) on delete cascade,
  executor ${text} not null,
  variant ${text},
  prompt ${text} not null,
  epoch ${bigint} not null,
  worker_id ${text},
  lease_until ${bigint},
  host_id ${text},
  spawned_at ${bigint},
  boot_id ${text},
  pid ${bigint},
  pid_started ${text},
  stop_requested_at ${bigint},
  token_id ${text}
);
create index attempt_of_run on runs (attempt_id);
create index session_of_run on runs (session_id);

create table approvals (
  id ${text} primary key,
  execution_id ${text} not null references executions (id) on delete cascade,
  attempt_id ${text} not null references attempts (id) on delete cascade,
  kind ${text} not null,
  question ${text} not null,
  details ${text},
  options ${text} not null,
  status ${text} not null,
  option ${text},
  answer ${text},
  answered_by_user_id ${text} references users (id),
  answered_by_agent_id ${text} references agents (id),
  created_at ${bigint} not null,
  answered_at ${bigint}
);
create index approvals_of_attempt on approvals (attempt_id, status, created_at, id);
create index approvals_of_run on approvals (execution_id, created_at, id);
create index pending_approvals on approvals (execution_id) where status = 'pending';

create table dependencies (
  work_item_id ${text} not null references work_items (id) on delete cascade,
  blocker_id ${text} not null references work_items (id) on delete cascade,
  primary key (work_item_id, blocker_id)
);
create index blocked_by on dependencies (blocker_id, work_item_id);

create table claims (
  work_item_id ${text} primary key references work_items (id) on delete cascade,
  epoch ${bigint} not null,
  principal_id ${text},
  user_id ${text} references users (id),
  agent_id ${text} references agents (id),
  claimed_at ${bigint} not null,
  lease_until ${bigint} not null
);
create index held_claims on claims (lease_until) where principal_id is not null;

create table workers (
  id ${text} primary key,
  host_id ${text} not null,
  host_name ${text} not null,
  boot_id ${text} not null,
  pid ${bigint} not null,
  pid_started ${text} not null,
  executors ${text} not null,
  max_runs ${bigint} not null,
  started_at ${bigint} not null,
  lease_until ${bigint} not null
);
create index workers_of_host on workers (host_id, lease_until);
`,
};
