import type { Dialect } from '#store/sql/statement';

const ORDER = 'order by created_at desc, id limit 1';

/** Joins the newest row of a table that meets a condition; of those made at one time, the first by id. */
export const newest = (dialect: Dialect, table: 'attempts' | 'sessions', as: string, condition: string): string =>
  dialect === 'sqlite'
    ? `left join ${table} as ${as} on ${as}.id = (select id from ${table} where ${condition} ${ORDER})`
    : `left join lateral (select * from ${table} where ${condition} ${ORDER}) as ${as} on true`;
