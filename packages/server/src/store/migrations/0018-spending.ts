import type { Migration } from './migration.ts';

/** What runs, tasks, projects and agents used on each day. */
export const spending: Migration = {
  name: '0018-spending',
  text: ({ text, bigint }) => `
create table spending (
  workspace_id ${text} not null references workspaces (id),
  kind ${text} not null,
  subject_id ${text} not null,
  day ${text} not null,
  cost_micro_usd ${bigint} not null,
  tokens ${bigint} not null,
  seconds ${bigint} not null,
  primary key (workspace_id, kind, subject_id, day)
);
create index spending_of_day on spending (workspace_id, kind, day);
`,
};
