import type { RunId } from '#domain/ids';
import { attemptKey, taskKey } from '#domain/key';
import type { ListedRun, ListedRunParts } from '#domain/listed-run';
import { type PageOf, type PageRequest, readPage } from '#services/pages';
import type { Ports } from '#services/ports';
import type { ReadWork } from '#services/work';
import type { ListedRunQuery } from '#store/store';
import { boundAttempt } from './lookup.ts';

type RunFilter = Omit<ListedRunQuery, 'before' | 'limit'>;

interface KeyedRun extends ListedRun {
  readonly task_key: string | null;
  readonly attempt_key: string | null;
}

function keyed(run: ListedRun): KeyedRun {
  const task_key = taskKey(run.project_key, run.task_number);
  return { ...run, task_key, attempt_key: attemptKey(task_key, run.attempt_number) };
}

/** The runs of all projects within reach, newest first, with what a list shows of each besides. */
export const createListedRuns =
  ({ cursors }: Pick<Ports, 'cursors'>) =>
  async (
    work: ReadWork,
    { limit, cursor, ...filter }: RunFilter & PageRequest,
  ): Promise<PageOf<KeyedRun> & ListedRunParts> => {
    const { tx, caller, within } = work;
    if (filter.project_id !== undefined) work.rightsIn(filter.project_id);
    // A caller within an attempt sees no other attempts.
    const own = await boundAttempt(work);
    const query = own === null ? filter : { ...filter, attempt_id: own.id };
    const { rows, ...more } = await readPage(
      cursors,
      { limit, cursor },
      {
        name: `runs:${caller.principal_id}:${JSON.stringify(filter)}`,
        read: (page) =>
          // Safe: the id in a cursor of this list is one of its runs.
          tx.listedRuns.list(within, caller.user_id, {
            ...query,
            before: page.after as RunId | null,
            limit: page.limit,
          }),
      },
    );
    return { rows: rows.map(keyed), ...(await tx.listedRuns.parts(rows)), ...more };
  };
