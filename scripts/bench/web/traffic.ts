import { setTimeout as sleep } from 'node:timers/promises';
import type { BusyAgent, SeededBoard } from './seed.ts';
import type { Ask } from './site.ts';

export const EVENTS_PER_SECOND = 20;

const STATUSES = ['todo', 'inprogress', 'inreview'] as const;

/** What agents and people do on a busy board: mostly steps; now and then a task is renamed, moved or made. */
export function startTraffic(ask: Ask, { project_id, task_ids }: SeededBoard, agents: readonly BusyAgent[]) {
  let isOver = false;
  let events = 0;
  let late = 0;
  const failures: string[] = [];
  const open = new Set<Promise<void>>();

  /** One act, and how many events it makes. */
  function act(turn: number): readonly [number, Promise<unknown>] {
    const task_id = task_ids[(turn * 37) % task_ids.length];
    const kind = turn % 10;
    if (kind === 3) return [1, ask('update_task', { task_id, title: `Renamed in turn ${turn}` })];
    if (kind === 6) return [1, ask('update_task', { task_id, status: STATUSES[turn % STATUSES.length] })];
    if (kind === 9) return [1, ask('create_task', { project_id, title: `Made in turn ${turn}` })];
    // A step ends the one before it.
    return [2, agents[turn % agents.length]?.report(`Step of turn ${turn}`) ?? Promise.resolve()];
  }

  async function go(): Promise<void> {
    const begun = performance.now();
    for (let turn = 0; !isOver; turn += 1) {
      const [count, done] = act(turn);
      events += count;
      const settled: Promise<void> = done
        .then(
          () => {},
          (error: unknown) => void failures.push(String(error)),
        )
        .finally(() => open.delete(settled));
      open.add(settled);
      const wait = begun + (events / EVENTS_PER_SECOND) * 1_000 - performance.now();
      if (wait > 0) await sleep(wait);
      else late += 1;
    }
    await Promise.all(open);
  }
  const going = go();

  return {
    /** Resolves with how many events there were. Rejects when a call failed. */
    stop: async (): Promise<number> => {
      isOver = true;
      await going;
      if (failures.length > 0) throw new Error(`${failures.length} calls failed: ${failures[0]}`);
      if (late > events / 10) throw new Error('The machine is too busy for so many events.');
      return events;
    },
  };
}
