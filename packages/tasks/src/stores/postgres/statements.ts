import { COLUMNS, laterOf, quoteName } from './schema.ts';

const UNEXPIRED = (now: string): string => `(expires_at is null or expires_at > ${laterOf(now)})`;

const qualified = (alias: string): string => COLUMNS.replaceAll(/\w+/g, (column) => `${alias}.${column}`);

/** Additional candidates, because other workers may be claiming the same tasks. */
const SPARE_BATCH = 100;

/** Creates the statements that are not part of a batch. The last parameter of each is this process's time. */
export function createStatements(schema: string) {
  const tasks = `${quoteName(schema)}.tasks`;

  return {
    get: {
      name: 'errand_tasks_get',
      text: `select ${COLUMNS} from ${tasks} where task_id = $1 and owner_id = $2 and ${UNEXPIRED('$3')}`,
    },
    newest: {
      name: 'errand_tasks_newest',
      text: `select ${COLUMNS} from ${tasks} where owner_id = $1 and ${UNEXPIRED('$3')}
        order by created_at desc, task_id desc limit $2`,
    },
    newestAfter: {
      name: 'errand_tasks_newest_after',
      text: `select ${COLUMNS} from ${tasks}
        where owner_id = $1 and (created_at, task_id) < ($3, $4) and ${UNEXPIRED('$5')}
        order by created_at desc, task_id desc limit $2`,
    },
    /** Locks rows one by one in order, only as many as requested: every locked row is claimed. */
    claim: {
      name: 'errand_tasks_claim',
      text: `
        with at as materialized (select ${laterOf('$5')} as now),
        candidates as materialized (
          select c.task_id from at, unnest($1::text[]) as named (tool) cross join lateral (
            (select task_id, created_at from ${tasks} as free
              where free.tool = named.tool and live = 1 and lease_until is null
                and (expires_at is null or expires_at > at.now)
              order by created_at, task_id limit $2::bigint + ${SPARE_BATCH})
            union all
            (select task_id, created_at from ${tasks} as lapsed
              where lapsed.tool = named.tool and live = 1 and lease_until <= at.now
                and (expires_at is null or expires_at > at.now)
              order by created_at, task_id limit $2::bigint + ${SPARE_BATCH})
          ) as c order by c.created_at, c.task_id
        ),
        locked as materialized (
          select l.task_id from candidates as c cross join lateral (
            select t.task_id from ${tasks} as t where t.task_id = c.task_id and t.live = 1
              and coalesce(t.lease_until, 0) <= (select now from at)
            for update skip locked
          ) as l limit $2::bigint
        )
        update ${tasks} as t
        set version = version + 1, epoch = epoch + 1, worker_id = $3, lease_until = at.now + $4::bigint
        from locked, at where t.task_id = locked.task_id
        returning ${qualified('t')}`,
    },
    sweep: {
      name: 'errand_tasks_sweep',
      text: `
        with gone as (
          delete from ${tasks} where task_id in (
            select task_id from ${tasks} where expires_at <= ${laterOf('$2')}
            order by expires_at limit $1::bigint for update skip locked
          ) returning 1
        ) select count(*) as removed from gone`,
    },
    trim: {
      name: 'errand_tasks_trim',
      text: `
        with gone as (
          delete from ${tasks} where task_id in (
            select task_id from ${tasks} where owner_id = $1 and live = 0
            order by created_at desc, task_id desc offset $2::bigint
          ) and live = 0 returning 1
        ) select count(*) as removed from gone`,
    },
    clock: { name: 'errand_tasks_clock', text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now' },
  };
}
