import type { Migration } from './migration.ts';

/** Who looks at a task. Rows are only of the last minutes. */
export const presence: Migration = {
  name: '0027-presence',
  text: ({ text, bigint }) => `
create table presence (
  work_item_id ${text} not null references work_items (id) on delete cascade,
  user_id ${text} not null references users (id),
  editing ${bigint} not null,
  since ${bigint} not null,
  seen_at ${bigint} not null,
  primary key (work_item_id, user_id)
);
create index old_presence on presence (seen_at);
`,
};
