import type { Migration } from './migration.ts';

/** What runs leave beside the folders of their repositories. Programs of the release before name the columns that they read. */
export const outsideFiles: Migration = {
  name: '0011-outside-files',
  text: ({ text }) => `alter table attempts add column outside ${text};`,
};
