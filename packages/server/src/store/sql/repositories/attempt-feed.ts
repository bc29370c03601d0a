import type { Attempt, RunPrompt } from '#domain/attempt';
import type { RunId } from '#domain/ids';
import type { FeedEntry, Run } from '#domain/run';
import { LIMIT } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { Reads, RunTime } from '#store/store';
import { RUN_COLUMNS } from './run-lists.ts';

type Of = Pick<Attempt, 'id' | 'workspace_id'>;

interface Part extends Of {
  readonly limit: number;
}

const runs = statement<Part, Run>(
  `select ${RUN_COLUMNS} from executions where attempt_id = :id and workspace_id = :workspace_id order by id desc ${LIMIT}`,
);

const runTimes = statement<Part, RunTime>(`
  select executions.usage, executions.ended_at, runs.spawned_at
  from executions left join runs on runs.execution_id = executions.id
  where executions.attempt_id = :id and executions.workspace_id = :workspace_id
  order by executions.id desc ${LIMIT}`);

const entries = (order: 'asc' | 'desc'): Statement<{ id: RunId; seq: number; limit: number }, FeedEntry> =>
  statement(`
    select execution_id, seq, kind, text, at from feed_entries
    where execution_id = :id and seq > :seq order by seq ${order} ${LIMIT}`);

const [first, last] = [entries('asc'), entries('desc')];

const earlier = statement<{ id: RunId; seq: number; limit: number }, FeedEntry>(`
  select execution_id, seq, kind, text, at from feed_entries
  where execution_id = :id and seq < :seq order by seq desc ${LIMIT}`);

const withEntries = statement<Of & { readonly from: string }, { readonly id: RunId }>(`
  select id from executions
  where attempt_id = :id and workspace_id = :workspace_id and id >= :from
    and exists (select 1 from feed_entries where feed_entries.execution_id = executions.id)
  order by id`);

const prompts = statement<Of & { readonly ids: string }, RunPrompt>(
  ({ listed }) => `
    select executions.id as execution_id, runs.prompt, executions.name, executions.user_id, executions.agent_id,
      executions.started_at
    from runs join executions on executions.id = runs.execution_id
    where executions.id in ${listed('ids')} and executions.attempt_id = :id
      and executions.workspace_id = :workspace_id and executions.kind = 'agent'
    order by executions.id`,
);

/** Entries of one run after the other, until there are enough: a join would sort all that the first of them has. */
async function gather(
  ids: readonly RunId[],
  limit: number,
  ask: (id: RunId, limit: number) => Promise<readonly FeedEntry[]>,
): Promise<readonly FeedEntry[]> {
  const found: FeedEntry[] = [];
  for (const id of ids) {
    if (found.length >= limit) break;
    found.push(...(await ask(id, limit - found.length)));
  }
  return found;
}

export function attemptFeedReads(
  session: Session,
): Pick<Reads['attempts'], 'runs' | 'runTimes' | 'feed' | 'latestFeed' | 'feedBefore' | 'prompts'> {
  const runsWithEntries = async ({ id, workspace_id }: Of, from: string): Promise<readonly RunId[]> =>
    (await session.all(withEntries, { id, workspace_id, from })).map((run) => run.id);

  return {
    runs: ({ id, workspace_id }, limit) => session.all(runs, { id, workspace_id, limit }),
    runTimes: ({ id, workspace_id }, limit) => session.all(runTimes, { id, workspace_id, limit }),
    feed: async (attempt, place, limit) =>
      gather(await runsWithEntries(attempt, place?.execution_id ?? ''), limit, (id, most) =>
        session.all(first, { id, seq: id === place?.execution_id ? place.seq : 0, limit: most }),
      ),
    feedBefore: async (attempt, place, limit) => {
      const ids = (await runsWithEntries(attempt, '')).filter((id) => id <= place.execution_id).toReversed();
      const found = await gather(ids, limit, (id, most) =>
        session.all(earlier, { id, seq: id === place.execution_id ? place.seq : Number.MAX_SAFE_INTEGER, limit: most }),
      );
      return found.toReversed();
    },
    latestFeed: async (attempt, limit) => {
      const ids = (await runsWithEntries(attempt, '')).toReversed();
      const found = await gather(ids, limit, (id, most) => session.all(last, { id, seq: 0, limit: most }));
      return found.toReversed();
    },
    prompts: async ({ id, workspace_id }, ids) =>
      ids.length === 0 ? [] : session.all(prompts, { id, workspace_id, ids: JSON.stringify(ids) }),
  };
}
