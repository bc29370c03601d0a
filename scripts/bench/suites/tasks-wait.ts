import { freshPostgres } from '../../../test/e2e/database.ts';
import { startPostgres } from '../../postgres.ts';
import { startRedis } from '../../redis.ts';
import { startChild } from '../child.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import { median } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const TASKS = 40;
const MAX_MS = 200;
const POLL_MS = 400;

interface Trial {
  readonly kind: 'postgres' | 'redis';
  readonly name: string;
  readonly address: string;
  readonly signals: 'heard' | 'cut';
}

/** Measures how late one process notices that another has finished a task. */
async function measure({ kind, name, address, signals }: Trial): Promise<Finding> {
  await using _worker = await startChild('tasks-worker.ts', kind, address);
  await using waiter = await startChild('tasks-waiter.ts', kind, address, String(POLL_MS), signals);
  const late: number[] = [];
  for (let task = 0; task < TASKS; task++) {
    const { late_ms } = (await waiter.ask({})) as { late_ms: number };
    late.push(late_ms);
  }
  const middle = median(late);
  const worst = Math.max(...late);
  const most = `p50 ${milliseconds(middle)}, at most ${milliseconds(worst)}`;
  return signals === 'heard'
    ? { subject: `${name}, with signals`, figure: most, target: `p50 < ${MAX_MS} ms`, met: middle < MAX_MS }
    : {
        subject: `${name}, signals cut`,
        figure: most,
        target: `p50 within the poll interval of ${POLL_MS} ms`,
        met: middle <= POLL_MS,
      };
}

/** Measures a blocking `tasks/result` in one process, with the work in another. */
export const tasksWait: Suite = async (): Promise<Section> => {
  const postgres = await startPostgres();
  const redis = await startRedis();
  try {
    const places = [
      { kind: 'postgres', name: 'PostgreSQL', address: await freshPostgres(postgres.url) },
      { kind: 'redis', name: 'Redis', address: redis.url },
    ] as const;
    const findings: Finding[] = [];
    for (const place of places) {
      for (const signals of ['heard', 'cut'] as const) findings.push(await measure({ ...place, signals }));
    }
    return {
      title: 'Tasks: waiting across processes',
      how: `A blocking \`tasks/result\` in one process for a task that another finishes, ${TASKS} times: from the end of the work to the answer, the write of the result included.`,
      findings,
    };
  } finally {
    await Promise.allSettled([postgres.stop(), redis.stop()]);
  }
};
