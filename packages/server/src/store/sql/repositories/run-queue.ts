import type { RunId } from '#domain/ids';
import type { QueuedRun, QueueEntry } from '#domain/queued-run';
import type { Run } from '#domain/run';
import { type Clocked, clocked } from '#store/sql/clocked';
import { LIMIT } from '#store/sql/page';
import { change, insertion } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';
import { RUN_COLUMNS } from './run-lists.ts';

const NAMES = [
  'execution_id',
  'attempt_id',
  'session_id',
  'executor',
  'prompt',
] as const satisfies readonly (keyof QueueEntry)[];

const CHANGING = [
  'variant',
  'epoch',
  'worker_id',
  'lease_until',
  'host_id',
  'spawned_at',
  'boot_id',
  'pid',
  'pid_started',
  'stop_requested_at',
  'stop_reason',
  'token_id',
] as const satisfies readonly Exclude<keyof QueueEntry, (typeof NAMES)[number]>[];

/** The columns of a run in the tables `runs` and `executions`. Columns with the same name have the same value in both. */
type Joined = Run & Omit<QueueEntry, 'execution_id' | 'attempt_id' | 'session_id'> & RunIds;

interface RunIds {
  readonly run_attempt_id: QueueEntry['attempt_id'];
  readonly run_session_id: QueueEntry['session_id'];
}

const SELECT = `
  select ${RUN_COLUMNS}, runs.attempt_id as run_attempt_id, runs.session_id as run_session_id,
    ${['executor', 'prompt', ...CHANGING].map((name) => `runs.${name}`).join(', ')}
  from executions join runs on runs.execution_id = executions.id`;

const RUNNING = `executions.status = 'running' and executions.attempt_id is not null`;

const find = statement<Pick<Run, 'id' | 'workspace_id'>, Joined>(
  `${SELECT} where executions.id = :id and executions.workspace_id = :workspace_id`,
);

const findForWorker = statement<{ readonly id: RunId }, Joined>(`${SELECT} where executions.id = :id`);

const heldBy = statement<{ readonly worker_id: string }, Joined>(
  `${SELECT} where ${RUNNING} and runs.worker_id = :worker_id order by executions.attempt_id, executions.id`,
);

// A run without a lease is lost too: no worker would ever end it.
const lost = clocked<{ readonly worker_ids: string }, Joined>(
  (now, { listed }) => `
    ${SELECT}
    where ${RUNNING} and (coalesce(runs.lease_until, 0) <= ${now} or runs.worker_id in ${listed('worker_ids')})
    order by executions.attempt_id, executions.id`,
);

interface WaitingQuery {
  readonly executors: string;
  readonly host_id: string;
  readonly limit: number;
}

// What is reported from elsewhere does not use the folders of the attempt.
const waiting = clocked<WaitingQuery, Joined>(
  (now, { listed }) => `
    ${SELECT} join attempts on attempts.id = runs.attempt_id
    where executions.status = 'queued' and executions.attempt_id is not null and runs.worker_id is null
      and runs.executor in ${listed('executors')}
      and not exists (
        select 1 from executions as other
        where other.attempt_id = executions.attempt_id and other.status = 'running' and other.kind <> 'external')
      and (attempts.host_id is null
        or (attempts.host_id = :host_id and coalesce(attempts.removal, '') <> 'removing') or not exists (
        select 1 from workers where workers.host_id = attempts.host_id and workers.lease_until > ${now}))
    order by executions.id ${LIMIT}`,
);

const insert = insertion('runs', [...NAMES, ...CHANGING]);
const update = change('runs', ['execution_id', 'attempt_id'], CHANGING);

function toQueuedRun(row: Joined): QueuedRun {
  const {
    run_attempt_id,
    run_session_id,
    executor,
    prompt,
    variant,
    epoch,
    worker_id,
    lease_until,
    host_id,
    spawned_at,
    boot_id,
    pid,
    pid_started,
    stop_requested_at,
    stop_reason,
    token_id,
    ...run
  } = row;
  return {
    execution_id: run.id,
    attempt_id: run_attempt_id,
    session_id: run_session_id,
    executor,
    prompt,
    variant,
    epoch,
    worker_id,
    lease_until,
    host_id,
    spawned_at,
    boot_id,
    pid,
    pid_started,
    stop_requested_at,
    stop_reason,
    token_id,
    run,
  };
}

const queueOf = (session: Session, clock: () => number, when: keyof Clocked<object, never>): Reads['queue'] => ({
  find: async ({ id, workspace_id }) => {
    const row = await session.get(find, { id, workspace_id });
    return row && toQueuedRun(row);
  },
  findForWorker: async (id) => {
    const row = await session.get(findForWorker, { id });
    return row && toQueuedRun(row);
  },
  heldBy: async (worker_id) => (await session.all(heldBy, { worker_id })).map(toQueuedRun),
  lost: async (worker_ids) =>
    (await session.all(lost[when], { worker_ids: JSON.stringify(worker_ids), now: clock() })).map(toQueuedRun),
  waiting: async ({ executors, host_id, limit }) => {
    const query = { executors: JSON.stringify(executors), host_id, limit, now: clock() };
    return (await session.all(waiting[when], query)).map(toQueuedRun);
  },
});

export const queueReads = (session: Session, clock: () => number): Reads['queue'] => queueOf(session, clock, 'current');

export const queueWrites = (session: WriteSession): Transaction['queue'] => ({
  ...queueOf(session, () => session.now, 'at'),
  insert: (run) => session.write(insert, run),
  update: (run) => session.write(update, run),
});
