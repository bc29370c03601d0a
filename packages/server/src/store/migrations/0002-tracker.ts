import type { Migration } from './migration.ts';

// Created again for `seq`: the index knows items by number, and numbers that have no column change when a file is vacuumed.
const SQLITE_ITEMS = `
create table items (
  seq integer primary key,
  id text not null unique,
  workspace_id text not null references workspaces (id),
  project_id text not null references projects (id),
  owner_id text references users (id),
  state_id text not null references states (id),
  title text not null,
  description text,
  description_html text,
  detail_layout text,
  priority text not null,
  sort_order double precision not null,
  parent_id text references items (id) on delete set null,
  start_date text,
  target_date text,
  completed_at integer,
  version integer not null,
  created_by_user_id text references users (id),
  created_by_agent_id text references agents (id),
  created_at integer not null,
  updated_at integer not null
);
insert into items (
  id, workspace_id, project_id, owner_id, state_id, title, description, priority, sort_order, parent_id, start_date,
  target_date, completed_at, version, created_at, updated_at)
select
  id, workspace_id, project_id, owner_id, state_id, title, description, priority, sort_order, parent_id, start_date,
  target_date, completed_at, version, created_at, updated_at
from work_items order by id;
drop table work_items;
alter table items rename to work_items;
create index todos on work_items (owner_id, id) where owner_id is not null;
create index pending_todos on work_items (owner_id, id) where owner_id is not null and completed_at is null;
create index completed_todos on work_items (owner_id, id) where owner_id is not null and completed_at is not null;
create index items_of_parent on work_items (parent_id) where parent_id is not null;

create virtual table search_index using fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_!.'"
);
create trigger item_deleted after delete on work_items begin
  delete from search_index where rowid = old.seq;
end;
`;

// Long terms are stored outside of the row: a search with many matches reads many rows, and none of the terms.
const POSTGRES_ITEMS = `
alter table work_items add column description_html text collate "C";
alter table work_items add column detail_layout text collate "C";
alter table work_items add column created_by_user_id text collate "C" references users (id);
alter table work_items add column created_by_agent_id text collate "C" references agents (id);
drop index items_of_team;

create table search_entries (
  item_id text collate "C" primary key references work_items (id) on delete cascade,
  terms tsvector not null
) with (toast_tuple_target = 256);
alter table search_entries alter column terms set storage external;
create index search_index on search_entries using gin (terms) with (fastupdate = off);
`;

export const tracker: Migration = {
  name: '0002-tracker',
  text: ({ dialect, text, bigint }) => `
alter table projects add column completion_gate ${text} not null default 'none';
alter table projects add column number ${bigint};
update projects set number = numbered.number
from (select id, row_number() over (order by id) as number from projects) as numbered
where numbered.id = projects.id;
create unique index number_of_project on projects (number);

create table labels (
  id ${text} primary key,
  project_id ${text} not null references projects (id),
  name ${text} not null,
  color ${text},
  created_at ${bigint} not null
);
create unique index name_of_label on labels (project_id, lower(name));

create table project_members (
  project_id ${text} not null references projects (id),
  user_id ${text} not null references users (id),
  role ${text} not null,
  added_at ${bigint} not null,
  primary key (project_id, user_id)
);
create index projects_of_member on project_members (user_id, project_id);
insert into project_members (project_id, user_id, role, added_at)
select id, owner_id, 'admin', created_at from projects where owner_id is not null;
insert into project_members (project_id, user_id, role, added_at)
select projects.id, users.id, 'admin', projects.created_at
from projects join users on users.workspace_id = projects.workspace_id
where projects.owner_id is null and users.role = 'admin';

${dialect === 'sqlite' ? SQLITE_ITEMS : POSTGRES_ITEMS}
create index items_of_project on work_items (project_id, id);

create table item_labels (
  work_item_id ${text} not null references work_items (id) on delete cascade,
  label_id ${text} not null references labels (id),
  primary key (work_item_id, label_id)
);
create index items_of_label on item_labels (label_id);

create table assignments (
  work_item_id ${text} not null references work_items (id) on delete cascade,
  user_id ${text} not null references users (id),
  primary key (work_item_id, user_id)
);
create index assignments_of_user on assignments (user_id);

create table comments (
  id ${text} primary key,
  work_item_id ${text} not null references work_items (id) on delete cascade,
  comment_html ${text} not null,
  author_user_id ${text} not null references users (id),
  author_agent_id ${text} references agents (id),
  created_at ${bigint} not null
);
create index comments_of_item on comments (work_item_id, id);

create table executions (
  id ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  kind ${text} not null,
  status ${text} not null,
  reason ${text},
  project_id ${text} not null references projects (id),
  work_item_id ${text},
  user_id ${text} not null references users (id),
  agent_id ${text} references agents (id),
  summary ${text},
  started_at ${bigint} not null,
  ended_at ${bigint}
);
create index executions_of_project on executions (project_id, id);

alter table idempotency add column project_id ${text};

alter table audit_events add column before_digest ${text};
alter table audit_events add column after_digest ${text};
alter table audit_events add column instruction_ref ${text};
create index events_of_agent on audit_events (agent_id, seq) where agent_id is not null;
create index events_of_user on audit_events (user_id, seq);
create index events_of_entity on audit_events (entity_id, seq) where entity_id is not null;
create index events_of_action on audit_events (action, seq);
create index failed_events on audit_events (outcome, seq) where outcome <> 'ok';
create index tokens_of_agent on tokens (agent_id, id) where agent_id is not null;
`,
  reindexes: true,
};
