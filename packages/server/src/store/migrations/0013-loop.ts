import type { Migration } from './migration.ts';

const ATTEMPTS = (text: string, bigint: string): string => `
alter table attempts add column number ${bigint};
alter table attempts add column verdict ${text};
alter table attempts add column verdict_at ${bigint};
alter table attempts add column red_retries ${bigint} not null default 0;
alter table attempts add column sibling_group ${text};
alter table attempts add column archived_at ${bigint};
alter table attempts add column merged_at ${bigint};
alter table attempts add column pull_request ${text};
`;

const PROJECTS = (text: string, bigint: string): string => `
alter table projects add column key ${text};
alter table projects add column require_green ${bigint} not null default 0;
alter table projects add column retry_red ${bigint} not null default 0;
alter table projects add column merge_mode ${text} not null default 'merge';
alter table projects add column merge_message ${text};
alter table projects add column delete_branch ${bigint} not null default 0;
create index keyless_projects on projects (id) where key is null;
create unique index key_of_project on projects (workspace_id, key) where key is not null;

create table project_keys (
  workspace_id ${text} not null references workspaces (id),
  key ${text} not null,
  project_id ${text} not null references projects (id) on delete cascade,
  primary key (workspace_id, key)
);
create index keys_of_project on project_keys (project_id);
`;

const NUMBERS = (text: string, bigint: string): string => `
alter table work_items add column number ${bigint};
create table item_numbers (
  project_id ${text} primary key references projects (id) on delete cascade,
  last ${bigint} not null
);
update work_items set number = numbered.number
from (select id, row_number() over (partition by project_id order by id) as number from work_items) as numbered
where numbered.id = work_items.id;
insert into item_numbers (project_id, last) select project_id, max(number) from work_items group by project_id;
update attempts set number = numbered.number
from (
  select id, row_number() over (partition by work_item_id order by created_at, id) as number from attempts
) as numbered
where numbered.id = attempts.id;
create unique index item_of_number on work_items (project_id, number) where number is not null;
create unique index attempt_of_number on attempts (work_item_id, number) where number is not null;
create index unnumbered_items on work_items (id) where number is null;
create index unnumbered_attempts on attempts (id) where number is null;
`;

const NAMES = `
create index names_of_projects on projects (workspace_id, lower(name));
create index names_of_users on users (workspace_id, lower(name));
create index names_of_agents on agents (workspace_id, lower(name));
create index names_of_repos on repos (project_id, lower(name));
`;

/**
 * Keys of projects, numbers of tasks and attempts, and what an attempt is judged and merged by. Programs of the release
 * before name their columns, so every new one is null or has a default.
 */
export const loop: Migration = {
  name: '0013-loop',
  gives_keys: true,
  text: ({ text, bigint }) => `
${PROJECTS(text, bigint)}
${ATTEMPTS(text, bigint)}
${NUMBERS(text, bigint)}
${NAMES}
alter table executions add column plan ${text};
alter table executions add column budget_warned_at ${bigint};
alter table runs add column stop_reason ${text};
`,
};
