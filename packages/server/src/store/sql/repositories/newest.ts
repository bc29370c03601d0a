import type { Words } from '#store/sql/dialect';

const ORDER = 'order by created_at desc, id limit 1';

interface Joined {
  readonly as: string;
  readonly where: string;
}

/** Joins the newest row of a table that meets a condition; among rows of one time, the first by id. */
export const newest = ({ dialect }: Words, table: 'attempts' | 'sessions', { as, where }: Joined): string =>
  dialect === 'sqlite'
    ? `left join ${table} as ${as} on ${as}.rowid = (select rowid from ${table} where ${where} ${ORDER})`
    : `left join lateral (select * from ${table} where ${where} ${ORDER}) as ${as} on true`;
