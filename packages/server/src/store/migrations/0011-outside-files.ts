import type { Migration } from './migration.ts';

/** The files that runs leave beside their repositories. The release before is safe: it selects columns by name. */
export const outsideFiles: Migration = {
  name: '0011-outside-files',
  text: ({ text }) => `alter table attempts add column outside ${text};`,
};
