import type { Database } from '../../../test/e2e/database.ts';
import type { Child } from '../child.ts';
import type { BenchErrand } from '../errand.ts';
import { type Burst, fire } from '../load.ts';
import { type Finding, milliseconds, perSecond } from '../report.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Conditions } from '../suite.ts';

export const CONNECTIONS = 50;

export interface Rival {
  readonly label: string;
  readonly least: number;
  /** A process that writes through the driver alone for the requested seconds. */
  readonly bare: Pick<Child<unknown>, 'ask'>;
  /** Errand's database. */
  readonly database: Database;
}

/** The answer of the programs in `targets/bare-*.ts`. */
interface BareAnswer {
  readonly per_second: number;
}

const MAX_P99_MS = 150;

async function countTasks(database: Database, user_id: string): Promise<number> {
  const [row] = await database.rows('select count(*) as n from work_items where owner_id = ?', [user_id]);
  return Number(row?.n);
}

/** Compares `add_task`, with a new key in every request, to the driver alone. Every answered request must be a row. */
export async function addAgainst(errand: BenchErrand, rival: Rival, { effort, wrk }: Conditions): Promise<Finding[]> {
  const { user_id } = errand;
  const shot = errand.shot('2026-07-28', 'add_task', { user_id, title: 'Buy groceries $KEY', idempotency_key: '$KEY' });
  const bursts: Burst[] = [];
  const ours = async (seconds: number): Promise<number> => {
    const before = await countTasks(rival.database, user_id);
    const burst = await fire(shot, { connections: CONNECTIONS, seconds }, wrk);
    const missing = burst.requests - ((await countTasks(rival.database, user_id)) - before);
    if (missing > 0) throw new Error(`${missing} of ${burst.requests} answered requests left no row.`);
    bursts.push(burst);
    return burst.requests / burst.seconds;
  };
  const figures = await compete<number>(
    [
      { name: 'ours', run: ours },
      { name: 'theirs', run: async (seconds) => ((await rival.bare.ask({ seconds })) as BareAnswer).per_second },
    ],
    effort,
  );

  const [mine = [], theirs = []] = [figures.get('ours'), figures.get('theirs')];
  const measured = ratio(mine, theirs);
  const p99 = median(bursts.slice(1).map(({ p99_ms }) => p99_ms));
  const failed = bursts.reduce((sum, burst) => sum + burst.failed, 0);
  return [
    {
      subject: 'Errand `add_task`',
      figure: perSecond(median(mine)),
      against: `${rival.label}: ${perSecond(median(theirs))}`,
      ratio: measured,
      target: `≥ ${rival.least} ×`,
      met: measured >= rival.least,
    },
    { subject: 'p99', figure: milliseconds(p99), target: `< ${MAX_P99_MS} ms`, met: p99 < MAX_P99_MS },
    { subject: 'errors', figure: String(failed), target: '0', met: failed === 0 },
  ];
}
