import type { Migration } from './migration.ts';

/** Repositories that were taken out of their project. Their rows stay: attempts show what was changed in them. */
export const removedRepos: Migration = {
  name: '0010-removed-repos',
  text: ({ text, bigint }) => `
create table removed_repos (
  repo_id ${text} primary key references repos (id) on delete cascade,
  removed_at ${bigint} not null
);`,
};
