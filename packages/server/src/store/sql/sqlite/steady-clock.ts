import type { DatabaseSync } from 'node:sqlite';

/** How far a restart may take time back: the mark in the database is at most this much older than the last commit. */
export const MARK_EVERY_MS = 10_000;

const MARK = 'latest_time';

/** The latest time at which the database is known to have been changed; 0 when it was never noted. */
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
  /** The time before which it cannot be. */
  readonly mark: number;
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
}

/**
 * A clock that never goes back, or what has expired would be valid again: when the machine's clock was set back, time
 * goes on from where it was, until the machine's clock has come up with it.
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
