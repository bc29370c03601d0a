import type { Migration } from './migration.ts';

export const foundation: Migration = {
  name: '0001-foundation',
  text: ({ text, bigint }) => `
create table workspaces (
  id ${text} primary key,
  name ${text} not null,
  created_at ${bigint} not null
);

create table users (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  name ${text} not null,
  role ${text} not null,
  status ${text} not null,
  created_at ${bigint} not null
);
create index users_of_workspace on users (workspace_id, id);

create table agents (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  owner_id ${text} not null references users (id),
  name ${text} not null,
  created_at ${bigint} not null
);
create index agents_of_workspace on agents (workspace_id, id);
create index agents_of_owner on agents (owner_id);

create table projects (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  kind ${text} not null,
  owner_id ${text} references users (id),
  name ${text} not null,
  card_guide ${text},
  created_at ${bigint} not null
);
create index projects_of_workspace on projects (workspace_id, id);
create unique index personal_project_of_owner on projects (owner_id) where kind = 'personal';

create table states (
  id ${text} primary key,
  project_id ${text} not null references projects (id),
  slug ${text} not null,
  name ${text} not null,
  state_group ${text} not null,
  position ${bigint} not null
);
create unique index slug_of_project on states (project_id, slug);
create index states_of_group on states (project_id, state_group, position, id);

create table repos (
  id ${text} primary key,
  project_id ${text} not null references projects (id),
  name ${text} not null,
  path ${text} not null,
  target_branch ${text} not null,
  created_at ${bigint} not null
);
create index repos_of_project on repos (project_id, id);
create unique index path_of_repo on repos (project_id, path);

create table grants (
  agent_id ${text} not null references agents (id),
  project_id ${text} not null references projects (id),
  scopes ${text} not null,
  can_complete ${bigint} not null,
  can_cancel ${bigint} not null,
  primary key (agent_id, project_id)
);
create index grants_of_project on grants (project_id);

create table tokens (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  kind ${text} not null,
  name ${text} not null,
  hash ${text} not null unique,
  user_id ${text} not null references users (id),
  agent_id ${text} references agents (id),
  scopes ${text} not null,
  acts_for ${text} not null,
  created_at ${bigint} not null,
  expires_at ${bigint},
  revoked_at ${bigint}
);
create index tokens_of_workspace on tokens (workspace_id, id);

create table work_items (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  project_id ${text} not null references projects (id),
  owner_id ${text} references users (id),
  state_id ${text} not null references states (id),
  title ${text} not null,
  description ${text},
  priority ${text} not null,
  sort_order double precision not null,
  parent_id ${text} references work_items (id) on delete set null,
  start_date ${text},
  target_date ${text},
  completed_at ${bigint},
  version ${bigint} not null,
  created_at ${bigint} not null,
  updated_at ${bigint} not null
);
create index todos on work_items (owner_id, id) where owner_id is not null;
create index pending_todos on work_items (owner_id, id) where owner_id is not null and completed_at is null;
create index completed_todos on work_items (owner_id, id) where owner_id is not null and completed_at is not null;
create index items_of_team on work_items (project_id, id) where owner_id is null;
create index items_of_parent on work_items (parent_id) where parent_id is not null;

create table conversations (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  user_id ${text} not null references users (id),
  started_at ${bigint} not null,
  last_activity_at ${bigint} not null
);
create index conversations_of_user on conversations (user_id, id);
create index latest_conversation_of_user on conversations (user_id, last_activity_at, id);

create table messages (
  conversation_id ${text} not null references conversations (id),
  id ${text} not null,
  role ${text} not null,
  content ${text} not null,
  created_at ${bigint} not null,
  primary key (conversation_id, id)
);

create table idempotency (
  principal_id ${text} not null,
  "key" ${text} not null,
  tool ${text} not null,
  args_hash ${text} not null,
  result ${text},
  created_at ${bigint} not null,
  expires_at ${bigint} not null,
  primary key (principal_id, "key")
);
create index idempotency_by_expiry on idempotency (expires_at);

create table audit_events (
  seq ${bigint} primary key,
  at ${bigint} not null,
  workspace_id ${text} not null,
  actor_kind ${text} not null,
  user_id ${text} not null,
  agent_id ${text},
  token_id ${text},
  action ${text} not null,
  outcome ${text} not null,
  entity ${text},
  entity_id ${text},
  idempotency_key ${text},
  correlation_id ${text} not null,
  prev_hash ${text} not null,
  hash ${text} not null
);

create table audit_head (
  id ${bigint} primary key check (id = 1),
  seq ${bigint} not null,
  hash ${text} not null
);
insert into audit_head (id, seq, hash) values (1, 0, '${'0'.repeat(64)}');

create table settings (
  name ${text} primary key,
  value ${text} not null
);
`,
};
