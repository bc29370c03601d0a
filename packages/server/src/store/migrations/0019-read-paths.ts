import type { Migration } from './migration.ts';

/** The board finds the newest attempt of a task, and whether one is in progress, in the index alone. */
export const readPaths: Migration = {
  name: '0019-read-paths',
  text: () => `
drop index attempts_of_item;
create index attempts_of_item on attempts (work_item_id, created_at desc, id, archived_at, run_status);
`,
};
