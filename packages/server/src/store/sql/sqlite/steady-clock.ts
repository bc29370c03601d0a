import type { DatabaseSync } from 'node:sqlite';

/** How often the time mark is written. After a restart, time can go back by at most this much. */
export const MARK_EVERY_MS = 10_000;

const MARK = 'latest_time';

/** The latest recorded time of a change; 0 when none was recorded. */
export function readMark(db: DatabaseSync): number {
  const row = db.prepare('select value from settings where name = ?').get(MARK);
  const mark = Number(row?.value ?? 0);
  return Number.isSafeInteger(mark) ? mark : 0;
}

/** Writes the mark, inside the transaction that is open. */
export function prepareMark(db: DatabaseSync): (now: number) => void {
  const put = db.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  return (now) => void put.run(MARK, String(now));
}

export interface SteadyClockOptions {
  /** The machine's clock, in epoch milliseconds: it may be set back. */
  readonly clock: () => number;
  /** Time cannot be earlier than this. */
  readonly mark: number;
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
}

/**
 * A clock that never goes back: otherwise an expired token would be valid again. When the machine's clock is set back, time
 * continues from its last value until the machine's clock has caught up.
 */
export function createSteadyClock({ clock, mark, elapsed }: SteadyClockOptions): () => number {
  let latest = mark;
  let latest_at = elapsed();
  let isBehind = false;

  return () => {
    const machine = clock();
    const steady = isBehind || machine < latest ? Math.floor(latest + elapsed() - latest_at) : latest;
    isBehind = machine < steady;
    if (isBehind) return steady;
    latest = machine;
    latest_at = elapsed();
    return machine;
  };
}
