import type { Migration } from './migration.ts';

const OLD_COLUMNS = `
  id, workspace_id, kind, status, reason, project_id, work_item_id, user_id, agent_id, summary, started_at, ended_at`;

// Created again, because SQLite cannot take `not null` from a column. What the previous release inserts lacks the columns
// after `ended_at`, so all of them can do without a value.
const SQLITE_EXECUTIONS = `
create table runs (
  id text primary key,
  workspace_id text not null references workspaces (id),
  kind text not null,
  status text not null,
  reason text,
  project_id text references projects (id),
  work_item_id text,
  user_id text not null references users (id),
  agent_id text references agents (id),
  summary text,
  started_at integer not null,
  ended_at integer,
  name text,
  service_id text,
  agent_session_id text,
  worktree_path text,
  branch text,
  client text,
  usage text,
  seen_at integer,
  liveness text not null default 'live'
);
insert into runs (${OLD_COLUMNS}) select ${OLD_COLUMNS} from executions order by id;
drop table executions;
alter table runs rename to executions;
`;

const POSTGRES_EXECUTIONS = `
alter table executions
  alter column project_id drop not null,
  add column name text collate "C",
  add column service_id text collate "C",
  add column agent_session_id text collate "C",
  add column worktree_path text collate "C",
  add column branch text collate "C",
  add column client text collate "C",
  add column usage text collate "C",
  add column seen_at bigint,
  add column liveness text collate "C" not null default 'live';
drop index executions_of_project;
`;

// Of two indexes that would do, SQLite takes the later one: the wider they reach, the earlier they stand.
const INDEXES = `
create index runs_of_workspace on executions (workspace_id, id);
create index runs_of_workspace_by_status on executions (workspace_id, status, id);
create index runs_of_project on executions (project_id, id) where project_id is not null;
create index runs_of_project_by_status on executions (project_id, status, id) where project_id is not null;
create index runs_of_user on executions (user_id, id);
create index runs_of_user_by_status on executions (user_id, status, id);
create index runs_of_item on executions (work_item_id, id) where work_item_id is not null;
create index silent_runs on executions (liveness, coalesce(seen_at, started_at)) where status = 'running';
`;

export const executions: Migration = {
  name: '0003-executions',
  text: ({ dialect, text, bigint }) => `
${dialect === 'sqlite' ? SQLITE_EXECUTIONS : POSTGRES_EXECUTIONS}
update executions set seen_at = coalesce(ended_at, started_at);
${INDEXES}
create table steps (
  id ${text} primary key,
  execution_id ${text} not null references executions (id) on delete cascade,
  seq ${bigint} not null,
  name ${text} not null,
  status ${text} not null,
  message ${text},
  source ${text} not null,
  started_at ${bigint} not null,
  updated_at ${bigint} not null,
  ended_at ${bigint}
);
create unique index steps_of_execution on steps (execution_id, seq);

create table feed_entries (
  execution_id ${text} not null references executions (id) on delete cascade,
  seq ${bigint} not null,
  kind ${text} not null,
  text ${text} not null,
  at ${bigint} not null,
  primary key (execution_id, seq)
);

create table events (
  seq ${bigint} primary key,
  at ${bigint} not null,
  body ${text} not null
);

create table event_head (
  id ${bigint} primary key check (id = 1),
  seq ${bigint} not null
);
insert into event_head (id, seq) values (1, 0);
`,
};
