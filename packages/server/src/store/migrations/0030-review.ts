import type { Migration } from './migration.ts';

/** The state of work that a person reads is called Review, as everywhere on the board. States that a person has named keep their name. */
export const review: Migration = {
  name: '0030-review',
  text: () => `
update states set name = 'Review' where slug = 'inreview' and name = 'In review'
  and not exists (
    select 1 from states as others where others.project_id = states.project_id and lower(others.name) = 'review'
  );
`,
};
