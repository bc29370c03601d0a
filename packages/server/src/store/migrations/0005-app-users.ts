import type { Migration } from './migration.ts';

/**
 * Users that live in an app. Each has a row in `users` too, so everything that belongs to a user belongs to them the
 * same way. Their id is taken before that row is written, so `app_users` does not refer to it. The app of a token stands beside `tokens`: the release before reads `acts_for` alone, in which an app's own
 * users never stand.
 */
export const appUsers: Migration = {
  name: '0005-app-users',
  text: ({ text, bigint }) => `
create table apps (
  workspace_id ${text} not null references workspaces (id),
  name ${text} not null,
  user_count ${bigint} not null,
  created_at ${bigint} not null,
  primary key (workspace_id, name)
);

create table app_users (
  user_id ${text} primary key,
  workspace_id ${text} not null,
  app ${text} not null,
  external_id ${text} not null,
  foreign key (workspace_id, app) references apps (workspace_id, name)
);
create unique index app_users_by_id on app_users (workspace_id, app, external_id);
create index app_users_in_order on app_users (workspace_id, app, user_id);

create table token_apps (
  token_id ${text} primary key references tokens (id) on delete cascade,
  app ${text} not null,
  user_ids ${text} not null
);
`,
};
