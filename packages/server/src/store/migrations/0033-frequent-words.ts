import type { Dialect } from '#store/sql/dialect';
import type { ColumnTypes, Migration } from './migration.ts';

const TABLES = ({ dialect, text, bigint }: ColumnTypes): string => `
alter table search_segments add column listed ${bigint} not null default 0;
create table search_words (
  project_id ${text} not null references projects (id) on delete cascade,
  word ${text} not null,
  segment ${bigint} not null,
  tasks ${text} not null,
  primary key (project_id, word, segment)
) ${dialect === 'sqlite' ? 'without rowid' : ''};
create table search_changes (
  project_id ${text} not null references projects (id) on delete cascade,
  number ${bigint} not null,
  primary key (project_id, number)
) ${dialect === 'sqlite' ? 'without rowid' : ''};
`;

// Released migrations do not change: the size of a segment is spelled out.
const SEGMENT: Readonly<Record<Dialect, number>> = { sqlite: 4_096, postgres: 16_384 };

const note = (dialect: Dialect): string => `
  insert into search_changes (project_id, number)
  select new.project_id, new.number from search_segments
  where project_id = new.project_id and segment = new.number / ${SEGMENT[dialect]}
  on conflict do nothing;`;

const changed = (other: string): string =>
  ['title', 'description', 'detail_layout'].map((name) => `old.${name} ${other} new.${name}`).join(' or ');

const TRIGGERS: Readonly<Record<Dialect, string>> = {
  sqlite: `
create trigger words_changed after update of title, description, detail_layout on work_items
when new.number is not null and (${changed('is not')}) begin
  ${note('sqlite')}
end;
`,
  postgres: `
create function words_changed() returns trigger language plpgsql as $$
begin
  ${note('postgres')}
  return null;
end $$;
create trigger words_changed after update of title, description, detail_layout on work_items
for each row when (new.number is not null and (${changed('is distinct from')})) execute function words_changed();
`,
};

/**
 * Keeps which tasks of a segment of the search index have a frequent word, so that a search skips segments where several
 * words never meet; and which tasks were changed since, also by programs of the release before.
 */
export const frequentWords: Migration = {
  name: '0033-frequent-words',
  text: (types) => [TABLES(types), TRIGGERS[types.dialect]].join(''),
};
