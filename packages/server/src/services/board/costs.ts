import { type Amounts, type CostsBy, dayOf, type Spent, spentOf } from '#domain/budget';
import type { ProjectId } from '#domain/ids';
import { taskKey } from '#domain/key';
import { refusal } from '#domain/refusal';
import type { ReadWork } from '#services/work';

interface CostsQuery {
  readonly by: CostsBy;
  readonly project_id?: ProjectId | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
}

export interface CostsLine extends Spent {
  readonly subject: string;
  readonly name: string | null;
  readonly key: string | null;
  readonly runs: number;
}

export interface Costs {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly CostsLine[];
  readonly total: Spent & { readonly runs: number };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const USUAL_DAYS = 30;

/** Minutes to a tenth. */
function shownOf(amounts: Amounts): Spent {
  const spent = spentOf(amounts);
  return { ...spent, minutes: Math.round(spent.minutes * 10) / 10 };
}

/** What runs have used, in the projects that the caller sees. */
export const createCosts =
  (clock: () => number) =>
  async ({ tx, within, caller }: ReadWork, { by, project_id, limit, ...query }: CostsQuery): Promise<Costs> => {
    const to = query.to ?? dayOf(clock());
    const from = query.from ?? dayOf(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS);
    if (from > to) throw refusal('from', `must not be after ${to}`);
    const { project_ids } = within;
    const isSeen = project_id === undefined || project_ids === 'all' || project_ids.includes(project_id);
    const narrowed = project_id === undefined ? within : { ...within, project_ids: isSeen ? [project_id] : [] };
    // A caller within an attempt sees what its own runs used.
    const of = { from, to, attempt_id: caller.attempt_id };
    const rows = await tx.spending.report(narrowed, { by, ...of, limit });
    const { runs, ...sum } = await tx.spending.reportTotal(narrowed, of);
    return {
      from,
      to,
      rows: rows.map(({ subject_id, name, project_key, number, runs, ...amounts }) => ({
        subject: subject_id,
        name,
        key: by === 'project' ? project_key : taskKey(project_key, number),
        ...shownOf(amounts),
        runs,
      })),
      total: { ...shownOf(sum), runs },
    };
  };
