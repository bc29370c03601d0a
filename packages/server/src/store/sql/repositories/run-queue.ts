import type { Run } from '#domain/attempt';
import type { ExecutionId } from '#domain/ids';
import type { Execution } from '#domain/run';
import { type Clocked, clocked } from '#store/sql/clocked';
import { LISTED } from '#store/sql/listed';
import { change, insertion } from '#store/sql/plain-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement } from '#store/sql/statement';
import type { Reads, RunRow, Transaction } from '#store/store';
import { EXECUTION_COLUMNS } from './run-lists.ts';

const NAMES = [
  'execution_id',
  'attempt_id',
  'session_id',
  'executor',
  'prompt',
] as const satisfies readonly (keyof Run)[];

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
  'token_id',
] as const satisfies readonly Exclude<keyof Run, (typeof NAMES)[number]>[];

/** A run beside its execution: what both have is the same in both. */
type Joined = Execution & Omit<Run, 'execution_id' | 'attempt_id' | 'session_id'> & RunIds;

interface RunIds {
  readonly run_attempt_id: Run['attempt_id'];
  readonly run_session_id: Run['session_id'];
}

const SELECT = `
  select ${EXECUTION_COLUMNS}, runs.attempt_id as run_attempt_id, runs.session_id as run_session_id,
    ${['executor', 'prompt', ...CHANGING].map((name) => `runs.${name}`).join(', ')}
  from executions join runs on runs.execution_id = executions.id`;

const RUNNING = `executions.status = 'running' and executions.attempt_id is not null`;

const find = plainStatement<{ readonly execution_id: ExecutionId }, Joined>(
  `${SELECT} where executions.id = :execution_id`,
);

const heldBy = plainStatement<{ readonly worker_id: string }, Joined>(
  `${SELECT} where ${RUNNING} and runs.worker_id = :worker_id order by executions.attempt_id, executions.id`,
);

// A run without a lease has lost its worker as well: nobody would ever end it.
const lost = clocked<{ readonly worker_ids: string }, Joined>(
  (dialect, now) => `
    ${SELECT}
    where ${RUNNING} and (coalesce(runs.lease_until, 0) <= ${now} or runs.worker_id in ${LISTED[dialect]('worker_ids')})
    order by executions.attempt_id, executions.id`,
);

interface WaitingQuery {
  readonly executors: string;
  readonly host_id: string;
  readonly limit: number;
}

// What is reported from elsewhere does not use the folders of the attempt. `+ 0`: see `atMost`.
const waiting = clocked<WaitingQuery, Joined>(
  (dialect, now) => `
    ${SELECT} join attempts on attempts.id = runs.attempt_id
    where executions.status = 'queued' and executions.attempt_id is not null and runs.worker_id is null
      and runs.executor in ${LISTED[dialect]('executors')}
      and not exists (
        select 1 from executions as other
        where other.attempt_id = executions.attempt_id and other.status = 'running' and other.kind <> 'external')
      and (attempts.host_id is null
        or (attempts.host_id = :host_id and coalesce(attempts.removal, '') <> 'removing') or not exists (
        select 1 from workers where workers.host_id = attempts.host_id and workers.lease_until > ${now}))
    order by executions.id limit :limit + 0`,
);

const insert = insertion<Run>('runs', [...NAMES, ...CHANGING]);
const update = change<Run>('runs', ['execution_id'], CHANGING);

function toRunRow(row: Joined): RunRow {
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
    token_id,
    ...execution
  } = row;
  return {
    execution_id: execution.id,
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
    token_id,
    execution,
  };
}

const runsOf = (session: Session, clock: () => number, when: keyof Clocked<object, never>): Reads['runs'] => ({
  find: async (execution_id) => {
    const row = await session.get(find, { execution_id });
    return row && toRunRow(row);
  },
  heldBy: async (worker_id) => (await session.all(heldBy, { worker_id })).map(toRunRow),
  lost: async (worker_ids) =>
    (await session.all(lost[when], { worker_ids: JSON.stringify(worker_ids), now: clock() })).map(toRunRow),
  waiting: async ({ executors, host_id, limit }) => {
    const query = { executors: JSON.stringify(executors), host_id, limit, now: clock() };
    return (await session.all(waiting[when], query)).map(toRunRow);
  },
});

export const runReads = (session: Session, clock: () => number): Reads['runs'] => runsOf(session, clock, 'current');

export const runWrites = (session: WriteSession): Transaction['runs'] => ({
  ...runsOf(session, () => session.now, 'at'),
  insert: (run) => session.write(insert, run),
  update: (run) => session.write(update, run),
});
