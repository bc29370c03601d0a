import type { AnswerOf, BoardCli } from './board-cli.ts';
import { plainLine } from './plain.ts';

type Row = AnswerOf<'list_tasks'>['tasks'][number];

export interface ClaimedTask {
  readonly title: string;
  readonly claimed_by: string;
  readonly expires_at: string;
}

/** Each claim is one more call, so a long list shows the claims of its first rows only. */
const MAX_LOOKUPS = 50;
const MAX_NAMED = 5;
const NEVER_CLAIMED = new Set(['todo', 'done', 'cancelled']);

const canBeClaimed = ({ status, is_ready, has_in_progress_attempt }: Row): boolean =>
  !is_ready && !has_in_progress_attempt && !NEVER_CLAIMED.has(status);

/** Finds the claimed tasks among these rows, by task id: a row does not name who claimed it. */
export async function claimedAmong(cli: BoardCli, rows: readonly Row[]): Promise<ReadonlyMap<string, ClaimedTask>> {
  const claimed = new Map<string, ClaimedTask>();
  for (const { task_id, title } of rows.filter(canBeClaimed).slice(0, MAX_LOOKUPS)) {
    const { claim } = await cli.ask('get_task', { task_id });
    if (claim === null) continue;
    claimed.set(task_id, {
      title: plainLine(title),
      claimed_by: plainLine(claim.claimed_by.name),
      expires_at: claim.expires_at,
    });
  }
  return claimed;
}

/** One line for each of the first few claimed tasks. */
export function claimLines(claimed: ReadonlyMap<string, ClaimedTask>): readonly string[] {
  const tasks = [...claimed.values()];
  const left = tasks.length - MAX_NAMED;
  return [
    ...tasks
      .slice(0, MAX_NAMED)
      .map(
        ({ title, claimed_by, expires_at }) =>
          `${claimed_by} has claimed ${JSON.stringify(title)} until ${expires_at}.`,
      ),
    ...(left > 0 ? [`${left} more are claimed.`] : []),
  ];
}
