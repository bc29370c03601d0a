import type { Migration } from './migration.ts';

/** How many commits the branch of an attempt has; null for rows of the release before, which selects columns by name. */
export const countedCommits: Migration = {
  name: '0035-counted-commits',
  text: ({ bigint }) => `alter table attempt_repos add column commits ${bigint};`,
};
