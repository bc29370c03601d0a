import type { Migration } from './migration.ts';

/** Repositories that were removed from their project. Their rows stay, because attempts show changes in them. */
export const removedRepos: Migration = {
  name: '0010-removed-repos',
  text: ({ text, bigint }) => `
create table removed_repos (
  repo_id ${text} primary key references repos (id) on delete cascade,
  removed_at ${bigint} not null
);`,
};
