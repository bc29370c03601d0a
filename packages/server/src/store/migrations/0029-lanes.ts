import type { ColumnTypes, Migration } from './migration.ts';

/** The tables that decide what a token may do. */
const ACCESS = ['tokens', 'attempt_tokens', 'token_apps', 'users', 'agents', 'grants', 'project_members', 'projects'];

// By the database itself: a server of an older release knows nothing of the number, and its revocations count too.
const counted = (table: string): string => `
create trigger access_changed after insert or update or delete or truncate on ${table}
  for each statement execute function count_access_change();`;

const COUNTING = `
create function count_access_change() returns trigger language plpgsql as $$
begin
  update access_head set version = version + 1;
  return null;
end $$;
${ACCESS.map(counted).join('')}
`;

const id = ({ dialect }: ColumnTypes): string =>
  dialect === 'postgres' ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement';

/** `outbox`: entries and events that wait for their order. `access_head`: a number that grows when rights change. */
export const lanes: Migration = {
  name: '0029-lanes',
  text: (types) => `
create table outbox (
  id ${id(types)},
  at ${types.bigint} not null,
  body ${types.text} not null
);
create table access_head (
  id ${types.bigint} primary key check (id = 1),
  version ${types.bigint} not null
);
insert into access_head (id, version) values (1, 0);
${types.dialect === 'postgres' ? COUNTING : ''}`,
};
