import type { Migration } from './migration.ts';

/** Sign-in keys that every server of the database honours, and where those servers are. */
export const signIn: Migration = {
  name: '0012-sign-in',
  text: ({ text, bigint }) => `
create table sign_in_keys (
  hash ${text} primary key,
  workspace_id ${text} not null references workspaces (id),
  user_id ${text} not null references users (id),
  created_at ${bigint} not null,
  expires_at ${bigint} not null
);
create index sign_in_keys_of_user on sign_in_keys (workspace_id, user_id, created_at);

create table servers (
  id ${text} primary key,
  host_name ${text} not null,
  url ${text} not null,
  lease_until ${bigint} not null
);
`,
};
