import type { Operations } from '../api/operations.ts';
import { span } from '../text/time.ts';
import { bytes, count, plural } from '../text/words.ts';

/** One figure that tells at a glance whether the server is well. */
export interface Vital {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  /** What to do about it; null while it is well. */
  readonly todo: string | null;
}

/** Codes that mean that the server failed. All others tell a caller that it asked for what cannot be. */
const FAULTS = new Set([
  'internal',
  'database_damaged',
  'database_replaced',
  'database_error',
  'overloaded',
  'tracker_unavailable',
]);
export const isFault = (code: string): boolean => FAULTS.has(code);

/** A run that waits longer than this waits for a place that does not come free by itself soon. */
const LONG_WAIT_MS = 5 * 60_000;

const KINDS = { sqlite: 'SQLite', postgres: 'Postgres' } as const;

function queueVital({ queue: { queued, running, workers, oldest_queued_at } }: Operations, now: number): Vital {
  const waited = oldest_queued_at === null ? 0 : now - Date.parse(oldest_queued_at);
  const isLong = queued > 0 && waited > LONG_WAIT_MS;
  const todo =
    queued > 0 && workers === 0
      ? 'No worker is alive: start errand worker, or errand serve on the machine of the repositories.'
      : isLong
        ? 'All run places are taken. Raise runner.max_runs, or start errand worker on another machine.'
        : null;
  return {
    name: 'Run queue',
    value: queued === 0 ? `${count(running)} running` : `${count(queued)} waiting`,
    about: queued === 0 ? plural(workers, 'worker') : `oldest ${span(waited)}, ${plural(workers, 'worker')}`,
    todo,
  };
}

function errorVital({ tools, errors }: Operations): Vital {
  const calls = tools.reduce((sum, tool) => sum + tool.calls, 0);
  const faults = errors.filter(({ code }) => isFault(code));
  const failed = faults.reduce((sum, fault) => sum + fault.count, 0);
  const share = calls === 0 ? 0 : (100 * failed) / calls;
  return {
    name: 'Errors',
    value: `${share.toFixed(share > 0 && share < 10 ? 2 : 0)} %`,
    about: `${count(failed)} of ${plural(calls, 'call')}`,
    todo: failed === 0 ? null : `The server failed with ${faults.map(({ code }) => code).join(', ')}: read its log.`,
  };
}

/** The figures of the page. Those that need action come last, because they are wider. */
export function vitalsOf(operations: Operations, now: number): readonly Vital[] {
  const { database, event_head, memory_bytes } = operations;
  const all: readonly Vital[] = [
    {
      name: 'Database',
      value: bytes(database.bytes),
      about: `${KINDS[database.kind]}, ${plural(database.migrations, 'migration')}`,
      todo: null,
    },
    { name: 'Events', value: count(event_head), about: 'number of the latest', todo: null },
    { name: 'Memory', value: bytes(memory_bytes), about: 'of this server', todo: null },
    errorVital(operations),
    queueVital(operations, now),
  ];
  return [...all.filter(({ todo }) => todo === null), ...all.filter(({ todo }) => todo !== null)];
}

/** What was measured at one moment. */
export interface Sample {
  readonly at: number;
  readonly since: string;
  readonly running: number;
  readonly queued: number;
}

/** An hour of what is asked for each ten seconds. */
const MAX_SAMPLES = 360;

export const sampleOf = ({ since, queue: { running, queued } }: Operations, at: number): Sample => ({
  at,
  since,
  running,
  queued,
});

/** The samples with one more. A server that was started again counts from the beginning: what was before is left out. */
export const withSample = (samples: readonly Sample[], next: Sample): readonly Sample[] =>
  [...samples.filter(({ since, at }) => since === next.since && at < next.at), next].slice(-MAX_SAMPLES);

type CallSpan = NonNullable<Operations['spans']>[number];

const MINUTE_MS = 60_000;

/** How often something happened each minute, in each part of the time; the last part goes on. */
export const perMinute = (spans: readonly CallSpan[], of: 'calls' | 'failed', now: number): readonly number[] =>
  spans.map((span, at) => {
    const end = Date.parse(spans[at + 1]?.at ?? '') || now;
    return (span[of] * MINUTE_MS) / Math.max(MINUTE_MS, end - Date.parse(span.at));
  });

/** The top of an axis: a round number that holds all values. */
export function topOf(values: readonly number[]): number {
  const most = Math.max(...values, 0);
  if (most <= 3) return 3;
  const unit = 10 ** Math.floor(Math.log10(most));
  return ([1, 1.5, 3, 6, 9].find((step) => step * unit >= most) ?? 12) * unit;
}

/** The shortest time that a chart shows: each of the five moments under it is another minute. */
export const LEAST_MS = 4 * MINUTE_MS;

/** The places of moments between two others, in hundredths. */
export const placesOf = (times: readonly number[], from: number, to: number): readonly number[] =>
  times.map((at) => (100 * (at - from)) / Math.max(1, to - from));

/** Places that are equally far from each other, from left to right. */
export const evenly = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => (100 * at) / Math.max(1, count - 1));

/** A line through values at their places, in a field of 100 by 100. */
export const lineOf = (values: readonly number[], places: readonly number[], top: number): string =>
  values
    .map(
      (value, at) => `${at === 0 ? 'M' : 'L'}${(places[at] ?? 0).toFixed(2)} ${(100 - (100 * value) / top).toFixed(1)}`,
    )
    .join('');

const SECOND_MS = 1_000;

/** A figure at an axis or in a legend. */
export const short = (value: number): string =>
  value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);

/** How long something took: 0.4 ms, 12 ms, 1.5 s, 30 s. */
export const tookOf = (milliseconds: number): string =>
  milliseconds < SECOND_MS ? `${short(milliseconds)} ms` : `${short(milliseconds / SECOND_MS)} s`;

/** The place of a duration on a scale of 1 ms to 1 s that grows tenfold by thirds, in hundredths. */
export const logPercent = (milliseconds: number): number =>
  Math.min(100, Math.max(0, (100 * Math.log10(Math.max(1, milliseconds))) / 3));
