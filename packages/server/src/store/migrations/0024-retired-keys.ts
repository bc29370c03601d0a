import type { Migration } from './migration.ts';

/** The keys of removed projects that named tasks: no other project gets them. */
export const retiredKeys: Migration = {
  name: '0024-retired-keys',
  text: ({ text }) => `
create table retired_keys (
  workspace_id ${text} not null references workspaces (id),
  key ${text} not null,
  primary key (workspace_id, key)
);
`,
};
