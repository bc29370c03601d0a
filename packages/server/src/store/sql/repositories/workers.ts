import type { Worker } from '#domain/worker';
import { type Clocked, clocked } from '#store/sql/clocked';
import { named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const COLUMNS = [
  'id',
  'host_id',
  'host_name',
  'boot_id',
  'pid',
  'pid_started',
  'executors',
  'max_runs',
  'started_at',
  'lease_until',
] as const satisfies readonly (keyof Worker)[];

const SELECT = `select ${named(COLUMNS)} from workers`;

const live = clocked<object, Worker>((now) => `${SELECT} where lease_until > ${now} order by started_at, id`);

const onHost = statement<Pick<Worker, 'host_id'>, Worker>(`${SELECT} where host_id = :host_id order by started_at, id`);

const put = replacement('workers', { key: ['id'], columns: COLUMNS });

const remove = statement<Pick<Worker, 'id'>, never>('delete from workers where id = :id');

const sweep = statement<{ readonly before: number }, never>(`
  delete from workers
  where lease_until < :before and not exists (
    select 1 from executions join runs on runs.execution_id = executions.id
    where executions.status = 'running' and executions.attempt_id is not null and runs.worker_id = workers.id)`);

const workersOf = (session: Session, clock: () => number, when: keyof Clocked<object, never>): Reads['workers'] => ({
  live: () => session.all(live[when], { now: clock() }),
  onHost: (host_id) => session.all(onHost, { host_id }),
});

export const workerReads = (session: Session, clock: () => number): Reads['workers'] =>
  workersOf(session, clock, 'current');

export const workerWrites = (session: WriteSession): Transaction['workers'] => ({
  ...workersOf(session, () => session.now, 'at'),
  put: (worker) => session.write(put, worker),
  remove: (id) => session.write(remove, { id }),
  sweep: (before) => session.run(sweep, { before }),
});
