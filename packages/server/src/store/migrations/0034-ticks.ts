import type { Migration } from './migration.ts';

/** Who ticked the items of checklists, and when. For items that were ticked before, nobody is stored. */
export const ticks: Migration = {
  name: '0034-ticks',
  text: ({ text, bigint }) => `
create table ticks (
  work_item_id ${text} not null references work_items (id) on delete cascade,
  item_id ${text} not null,
  user_id ${text} not null,
  agent_id ${text},
  at ${bigint} not null,
  primary key (work_item_id, item_id)
);
`,
};
