import type { Migration } from './migration.ts';

/** Passwords of people, and the browsers that are signed in. The token of a browser is in `tokens`. */
export const peopleSignIn: Migration = {
  name: '0026-people-sign-in',
  text: ({ text, bigint }) => `
create table passwords (
  user_id ${text} primary key references users (id) on delete cascade,
  workspace_id ${text} not null references workspaces (id),
  hash ${text} not null,
  changed_at ${bigint} not null
);

create table browser_sessions (
  token_id ${text} primary key references tokens (id) on delete cascade,
  workspace_id ${text} not null references workspaces (id),
  user_id ${text} not null references users (id),
  device ${text} not null,
  address ${text} not null,
  created_at ${bigint} not null,
  seen_at ${bigint} not null
);
create index browser_sessions_of_user on browser_sessions (workspace_id, user_id, created_at);
`,
};
