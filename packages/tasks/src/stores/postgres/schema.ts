import { createHash } from 'node:crypto';
import type { Link } from './connection.ts';

export const COLUMNS =
  'task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body';

/** PostgreSQL's limit for names. */
const MAX_NAME_BYTES = 63;

/** Quotes a name, so that any name is possible. */
export function quoteName(name: string): string {
  if (name === '' || name.includes('\0') || Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new Error(`The schema of the Postgres store needs a name of 1 to ${MAX_NAME_BYTES} bytes.`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** The later time of the server's clock and this process's: a task that this process has seen expire stays expired. */
export const laterOf = (parameter: string): string =>
  `greatest(${parameter}::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`;

const TABLE = (schema: string): string => `
  create schema if not exists ${schema};
  create table if not exists ${schema}.tasks (
    task_id text collate "C" primary key,
    owner_id text collate "C" not null,
    tool text collate "C" not null,
    live smallint not null,
    version bigint not null,
    epoch bigint not null,
    worker_id text collate "C",
    lease_until bigint,
    created_at bigint not null,
    expires_at bigint,
    body text not null
  );
  create index if not exists tasks_of_owner on ${schema}.tasks (owner_id, created_at, task_id);
  create index if not exists tasks_live on ${schema}.tasks (owner_id, expires_at) where live = 1;
  create index if not exists tasks_free on ${schema}.tasks (tool, created_at, task_id)
    where live = 1 and lease_until is null;
  create index if not exists tasks_leased on ${schema}.tasks (tool, lease_until)
    where live = 1 and lease_until is not null;
  create index if not exists tasks_expiry on ${schema}.tasks (expires_at) where expires_at is not null;
`;

/**
 * Many writes in one call: those with a quota are inserts, the others replace the previous version. Returns a
 * row for each write that did not succeed. All calls take locks in one order, first owners, then tasks, so that no
 * two calls wait for each other. A notification has at most 8000 bytes; a longer one is replaced by one that
 * says that any task may have changed.
 */
const WRITE = (name: string, schema: string): string => `
  create or replace function ${name}(
    channel text, sender text, from_now bigint, quotas bigint[], signals text[], task_ids text[], owner_ids text[],
    tools text[], lives smallint[], versions bigint[], epochs bigint[], worker_ids text[], lease_untils bigint[],
    created_ats bigint[], expires_ats bigint[], bodies text[]
  ) returns table (
    ord bigint, outcome text, task_id text, owner_id text, tool text, live smallint, version bigint, epoch bigint,
    worker_id text, lease_until bigint, created_at bigint, expires_at bigint, body text
  ) language plpgsql as $$
  #variable_conflict use_column
  declare
    at bigint;
    op record;
    held bigint;
    replaced boolean;
    seen ${schema}.tasks%rowtype;
    told text[] := array[sender];
  begin
    perform pg_advisory_xact_lock(o.key) from (
      select distinct hashtextextended(channel || ' ' || u.owner_id, 0) as key
      from unnest(owner_ids, quotas) as u (owner_id, quota) where u.quota is not null order by key
    ) o;
    at := ${laterOf('from_now')};

    for op in
      select * from unnest(
        quotas, signals, task_ids, owner_ids, tools, lives, versions, epochs, worker_ids, lease_untils, created_ats,
        expires_ats, bodies
      ) with ordinality as u (
        quota, signal, task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at,
        expires_at, body, ord
      ) order by u.task_id collate "C", u.ord
    loop
      if op.quota is null then
        loop
          update ${schema}.tasks set
            tool = op.tool, live = op.live, version = op.version, epoch = op.epoch, worker_id = op.worker_id,
            lease_until = op.lease_until, created_at = op.created_at, expires_at = op.expires_at, body = op.body
          where task_id = op.task_id and owner_id = op.owner_id and version = op.version - 1
            and (expires_at is null or expires_at > at);
          replaced := found;
          exit when replaced;
          select t.* into seen from ${schema}.tasks t
          where t.task_id = op.task_id and t.owner_id = op.owner_id and (t.expires_at is null or t.expires_at > at);
          -- Committed between the two statements: the very version that was to be replaced is there after all.
          exit when seen.version is distinct from op.version - 1;
        end loop;
        if not replaced then
          return query select op.ord, 'lost', seen.*;
          continue;
        end if;
      else
        select count(*) into held from (
          select 1 from ${schema}.tasks
          where owner_id = op.owner_id and live = 1 and (expires_at is null or expires_at > at) limit op.quota
        ) as unfinished;
        if held < op.quota then
          insert into ${schema}.tasks (${COLUMNS}) values (
            op.task_id, op.owner_id, op.tool, op.live, op.version, op.epoch, op.worker_id, op.lease_until,
            op.created_at, op.expires_at, op.body
          ) on conflict do nothing;
        end if;
        if held >= op.quota or not found then
          ord := op.ord;
          outcome := case
            when held < op.quota or exists (select 1 from ${schema}.tasks where task_id = op.task_id) then 'exists'
            else 'quota_exceeded'
          end;
          return next;
          continue;
        end if;
      end if;
      if op.signal is not null then
        told := told || op.signal;
      end if;
    end loop;

    if cardinality(told) > 1 then
      perform pg_notify(channel, case
        when octet_length(array_to_json(told)::text) < 7900 then array_to_json(told)::text
        else array_to_json(array[sender, null])::text
      end);
    end if;
  end $$;
`;

/** Returns the function's name, which depends on its text: programs of two versions may share the schema. */
export const writeFunction = (schema: string): string => {
  const text = WRITE('', quoteName(schema));
  return `${quoteName(schema)}.write_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
};

/** Refuses a server that confirms a commit before it is on disk. */
async function assertDurable(link: Link): Promise<void> {
  const [unsafe] = await link.ask<{ readonly name: string }>({
    text: `select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'`,
  });
  if (unsafe !== undefined) {
    throw new Error(`PostgreSQL runs with ${unsafe.name}=off: a power cut would lose confirmed changes. Turn it on.`);
  }
}

/** Creates what the schema lacks, one process at a time. A role that may not create needs a complete schema. */
export async function prepareSchema(link: Link, schema: string): Promise<void> {
  await assertDurable(link);
  const [{ is_there } = { is_there: false }] = await link.ask<{ readonly is_there: boolean }>({
    text: 'select to_regproc($1) is not null as is_there',
    values: [writeFunction(schema)],
  });
  if (is_there) return;
  // All statements of one text run in one transaction, so that no other process sees half of them.
  await link.ask({
    patient: true,
    text: `
      set local lock_timeout = 0;
      set local statement_timeout = 0;
      select pg_advisory_xact_lock(hashtextextended('errand-tasks schema', 0));
      ${TABLE(quoteName(schema))}
      ${WRITE(writeFunction(schema), quoteName(schema))}
    `,
  });
}
