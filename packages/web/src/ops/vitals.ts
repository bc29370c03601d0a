import type { Operations } from '../api/operations.ts';
import { span } from '../text/time.ts';
import { bytes, count, listed, plural } from '../text/words.ts';
import { spansSince, tookOf } from './figures.ts';

/** One figure that tells at a glance whether the server is well. */
export interface Vital {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  /** What to do about it; null while it is well. */
  readonly todo: string | null;
}

const KINDS = { sqlite: 'SQLite', postgres: 'Postgres' } as const;

/** A short read takes a few milliseconds at most, also in a database of a million tasks. */
const SLOW_READ_MS = 250;
/** People at a board notice a change that comes later than this. */
const SLOW_EVENT_MS = 2_000;
const LONG_BACKLOG = 1_000;
/** A run that waits longer than this waits for a place that does not come free by itself soon. */
const LONG_WAIT_MS = 5 * 60_000;
/** A database that cannot grow loses no answer, but accepts no change any more. */
const LITTLE_BYTES = 1_000_000_000;
const SOON_DAYS = 7;

/** 3.50.4 and 17.2 (Debian) are 3.50 and 17. */
const versionOf = ({ kind, version }: Operations['database']): string =>
  version.split('.', kind === 'sqlite' ? 2 : 1).join('.');

function databaseVital({ database }: Operations): Vital {
  const { kind, read_ms, migrations } = database;
  return {
    name: 'Database',
    value: read_ms < 0.1 ? 'under 0.1 ms' : tookOf(read_ms),
    about: `${KINDS[kind]} ${versionOf(database)}, ${plural(migrations, 'migration')}`,
    todo:
      read_ms < SLOW_READ_MS
        ? null
        : kind === 'sqlite'
          ? 'A short read took long. Look at what else uses the disk of the data folder.'
          : 'A short read took long. Look at the load of Postgres, and at the network to it.',
  };
}

function eventVital({ events: { lag_ms, listeners, backlog } }: Operations): Vital {
  const isLate = (lag_ms ?? 0) > SLOW_EVENT_MS || backlog > LONG_BACKLOG;
  return {
    name: 'Event lag',
    value: lag_ms === null ? 'no event yet' : tookOf(lag_ms),
    about: `${plural(listeners, 'listener')}${backlog === 0 ? '' : `, ${count(backlog)} behind`}`,
    todo: isLate ? 'Changes reach boards and agents late. Look at the load of this machine and of the database.' : null,
  };
}

function errorVital(operations: Operations): Vital {
  const spans = spansSince(operations);
  const calls = spans.reduce((sum, part) => sum + part.calls, 0);
  const failed = spans.reduce((sum, part) => sum + part.faults, 0);
  const share = calls === 0 ? 0 : (100 * failed) / calls;
  const codes = operations.errors.flatMap(({ code, is_fault }) => (is_fault ? [code] : []));
  return {
    name: 'Errors',
    value: `${share.toFixed(share > 0 && share < 10 ? 2 : 0)} %`,
    about: `${count(failed)} of ${plural(calls, 'call')}`,
    todo: failed === 0 ? null : `The server failed with ${listed(codes)}: read its log.`,
  };
}

function diskVital({ database, disk }: Operations): Vital {
  const { grows_bytes } = database;
  const daily = Math.max(0, grows_bytes ?? 0);
  const about = [
    ...(disk === null ? [] : [`${bytes(disk.free_bytes)} free`]),
    ...(grows_bytes === null ? [] : [`${bytes(daily)} a day`]),
  ].join(', ');
  const days = disk === null || daily === 0 ? Number.POSITIVE_INFINITY : disk.free_bytes / daily;
  const isFull = disk !== null && (disk.free_bytes < LITTLE_BYTES || days < SOON_DAYS);
  return {
    name: 'Disk',
    value: bytes(database.bytes),
    about: about === '' ? 'of the database' : about,
    todo: isFull
      ? `${days < SOON_DAYS ? `The disk is full in ${plural(Math.max(1, Math.floor(days)), 'day')}` : 'The disk is nearly full'}. Free some space on it.`
      : null,
  };
}

function queueTodo({ queue: { queued, running, workers, places, oldest_queued_at } }: Operations, now: number) {
  if (queued === 0) return null;
  if (workers === 0)
    return 'No worker is alive: start errand worker, or errand serve on the machine of the repositories.';
  const waited = oldest_queued_at === null ? 0 : now - Date.parse(oldest_queued_at);
  if (running >= places && (queued >= places || waited > LONG_WAIT_MS)) {
    return `${places === 1 ? 'The one run place is taken' : `All ${count(places)} run places are taken`}. Raise runner.max_runs, or start errand worker.`;
  }
  return waited > LONG_WAIT_MS
    ? 'Places are free, but no worker has the agent or the folder that the oldest run needs. Open it in Runs.'
    : null;
}

function queueVital(operations: Operations, now: number): Vital {
  const { queued, running, workers, places, oldest_queued_at } = operations.queue;
  const waited = oldest_queued_at === null ? 0 : now - Date.parse(oldest_queued_at);
  return {
    name: 'Run queue',
    value: queued === 0 ? `${count(running)} running` : `${count(queued)} waiting`,
    about:
      queued > 0
        ? `oldest ${span(waited)}`
        : workers === 0
          ? 'no worker'
          : `of ${plural(places, 'place')}, ${plural(workers, 'worker')}`,
    todo: queueTodo(operations, now),
  };
}

/** The figures of the page. Those that need action come last, because they are wider. */
export function vitalsOf(operations: Operations, now: number): readonly Vital[] {
  const all = [
    databaseVital(operations),
    eventVital(operations),
    errorVital(operations),
    diskVital(operations),
    queueVital(operations, now),
  ];
  return [...all.filter(({ todo }) => todo === null), ...all.filter(({ todo }) => todo !== null)];
}
