import type { Database } from '../../../test/e2e/database.ts';
import type { Child } from '../child.ts';
import type { BenchErrand } from '../errand.ts';
import { type Burst, fire } from '../load.ts';
import { type Finding, milliseconds, perSecond } from '../report.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Conditions } from '../suite.ts';

export const CONNECTIONS = 50;

export interface Rivals {
  /** A process that writes through the driver alone for the requested seconds. */
  readonly bare: { readonly label: string; readonly least: number; readonly child: Pick<Child<unknown>, 'ask'> };
  /** One of `targets/raw-add-*.ts`: writes the same rows, in groups behind `node:http`, or alone when asked. */
  readonly raw: { readonly least: number; readonly child: Child<{ readonly url: string }> };
  /** Errand's database. */
  readonly database: Database;
  /** The bytes that Errand's database takes on the disk. */
  readonly bytes: () => Promise<number>;
}

/** The answer of the programs that write for some seconds. */
interface BareAnswer {
  readonly per_second: number;
}

const MAX_P99_MS = 150;
const LEAST_ALONE = 0.6;
const MAX_BYTES = 1500;

async function countTasks(database: Database, user_id: string): Promise<number> {
  const [row] = await database.rows('select count(*) as n from work_items where owner_id = ?', [user_id]);
  return Number(row?.n);
}

const asked = (child: Pick<Child<unknown>, 'ask'>) => async (seconds: number) =>
  ((await child.ask({ seconds })) as BareAnswer).per_second;

/** Compares `add_task`, with a new key in every request, to what writes its rows alone. Every answered request must be a row. */
export async function addAgainst(errand: BenchErrand, rivals: Rivals, { effort, wrk }: Conditions): Promise<Finding[]> {
  const { user_id } = errand;
  const { bare, raw, database } = rivals;
  const shot = errand.shot('2026-07-28', 'add_task', { user_id, title: 'Buy groceries $KEY', idempotency_key: '$KEY' });
  const bursts: Burst[] = [];
  const ours = async (seconds: number, connections: number): Promise<Burst> => {
    const before = await countTasks(database, user_id);
    const burst = await fire(shot, { connections, seconds }, wrk);
    const missing = burst.requests - ((await countTasks(database, user_id)) - before);
    if (missing > 0) throw new Error(`${missing} of ${burst.requests} answered requests left no row.`);
    return burst;
  };
  const speed = ({ requests, seconds }: Burst): number => requests / seconds;
  const empty = { bytes: await rivals.bytes(), tasks: await countTasks(database, user_id) };
  const contestants = {
    ours: async (seconds: number) => {
      const burst = await ours(seconds, CONNECTIONS);
      bursts.push(burst);
      return speed(burst);
    },
    bare: asked(bare.child),
    grouped: async (seconds: number) =>
      speed(await fire({ ...shot, url: raw.child.message.url }, { connections: CONNECTIONS, seconds }, wrk)),
    alone: async (seconds: number) => speed(await ours(seconds, 1)),
    rows: asked(raw.child),
  };
  const figures = await compete<number>(
    Object.entries(contestants).map(([name, run]) => ({ name, run })),
    effort,
  );
  const grown = (await rivals.bytes()) - empty.bytes;
  const bytes = grown / ((await countTasks(database, user_id)) - empty.tasks);

  const of = (name: keyof typeof contestants): readonly number[] => figures.get(name) ?? [];
  const compared = (
    subject: string,
    mine: readonly number[],
    label: string,
    theirs: readonly number[],
    least: number,
  ) => {
    const measured = ratio(mine, theirs);
    return {
      subject,
      figure: perSecond(median(mine)),
      against: `${label}: ${perSecond(median(theirs))}`,
      ratio: measured,
      target: `≥ ${least} ×`,
      met: measured >= least,
    };
  };
  const p99 = median(bursts.slice(1).map(({ p99_ms }) => p99_ms));
  const failed = bursts.reduce((sum, burst) => sum + burst.failed, 0);
  const together = `Errand \`add_task\`, ${CONNECTIONS} at once`;
  return [
    compared(together, of('ours'), 'the same rows in groups behind raw `node:http`', of('grouped'), raw.least),
    compared(together, of('ours'), bare.label, of('bare'), bare.least),
    compared('Errand `add_task`, one at a time', of('alone'), 'the same rows alone', of('rows'), LEAST_ALONE),
    {
      subject: 'disk for each `add_task`',
      figure: `${Math.round(bytes).toLocaleString('en')} bytes`,
      target: `≤ ${MAX_BYTES.toLocaleString('en')} bytes`,
      met: bytes <= MAX_BYTES,
    },
    { subject: 'p99', figure: milliseconds(p99), target: `< ${MAX_P99_MS} ms`, met: p99 < MAX_P99_MS },
    { subject: 'errors', figure: String(failed), target: '0', met: failed === 0 },
  ];
}
