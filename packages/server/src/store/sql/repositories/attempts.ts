import type { Attempt, AttemptRepo, AttemptRepoRow, AttemptRow, NewAttempt } from '#domain/attempt';
import type { AttemptId, WorkItemId } from '#domain/ids';
import { LIMIT } from '#store/sql/page';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { StoredAttemptRepo } from '#store/sql/tables';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';
import { type AttemptFacts, attemptFacts, fromFacts } from './attempt-facts.ts';
import { attemptFeedReads } from './attempt-feed.ts';
import { ATTEMPT_COLUMNS, OF_ATTEMPT, type OfAttempt } from './attempt-within.ts';
import { leftoverReads, leftoverWrites } from './leftovers.ts';
import { newest } from './newest.ts';
import { sessionReads, sessionWrites } from './sessions.ts';

const REPO_COLUMNS = [
  'attempt_id',
  'repo_id',
  'target_branch',
  'base_commit',
  'head_commit',
  'commits',
  'files',
  'patch',
  'is_patch_cut',
  'is_set_up',
] as const satisfies readonly (keyof AttemptRepo)[];

const ATTEMPT = named(ATTEMPT_COLUMNS, 'attempts');

interface OneAttempt {
  readonly id: AttemptId;
}

type StoredRow = Omit<AttemptRow, 'key' | 'state' | 'last_failure_line'> & AttemptFacts;

const rows = <Params extends object>(condition: string): Statement<Params & WithinParams, StoredRow> =>
  statement(
    (words) => `
      select ${ATTEMPT}, latest.id as latest_session_id, latest.executor as latest_session_executor,
        ${attemptFacts({ attempt: 'attempts', item: 'work_items', project_id: 'attempts.project_id' })}
      from attempts join work_items on work_items.id = attempts.work_item_id ${newest(words, 'sessions', { as: 'latest', where: 'attempt_id = attempts.id' })}
      where attempts.workspace_id = :workspace_id and ${inProjects(words, 'attempts.project_id')} and ${condition}`,
  );

const find = rows<OneAttempt>('attempts.id = :id');

interface ItemPage {
  readonly item: WorkItemId;
  readonly after_time: number;
  readonly after_id: string;
  readonly limit: number;
}

const ofItem = rows<ItemPage>(`
  attempts.work_item_id = :item and attempts.created_at <= :after_time
    and (attempts.created_at < :after_time or attempts.id > :after_id)
  order by attempts.created_at desc, attempts.id ${LIMIT}`);

const repos = statement<OfAttempt, StoredAttemptRepo & Omit<AttemptRepoRow, keyof AttemptRepo>>(`
  select ${named(REPO_COLUMNS, 'attempt_repos')},
    repos.name as repo_name, repos.path as repo_path, setup_scripts.script as setup_script
  from attempt_repos
    join repos on repos.id = attempt_repos.repo_id
    left join setup_scripts on setup_scripts.repo_id = repos.id
  where attempt_repos.${OF_ATTEMPT} order by repos.id`);

const removals = statement<{ readonly host_id: string }, Attempt>(
  `select ${ATTEMPT} from attempts where host_id = :host_id and removal in ('requested', 'removing') order by id`,
);

const GIVEN = ATTEMPT_COLUMNS.filter((name) => name !== 'number');

// Attempts are deleted with their task alone, so that no number is given twice.
const insert = statement<NewAttempt, never>(`
  insert into attempts (${named(GIVEN)}, number)
  values (${GIVEN.map((name) => `:${name}`).join(', ')},
    (select coalesce(max(number), 0) + 1 from attempts where work_item_id = :work_item_id))`);
const update = change(
  'attempts',
  ['id', 'workspace_id'],
  [
    'host_id',
    'removal',
    'run_status',
    'outside',
    'verdict',
    'verdict_at',
    'red_retries',
    'archived_at',
    'merged_at',
    'pull_request',
    'updated_at',
  ],
);
const insertRepo = insertion('attempt_repos', REPO_COLUMNS);
const updateRepo = change(
  'attempt_repos',
  ['attempt_id', 'repo_id'],
  ['base_commit', 'head_commit', 'commits', 'files', 'patch', 'is_patch_cut', 'is_set_up'],
);

const stored = (repo: AttemptRepo): StoredAttemptRepo => ({
  ...repo,
  is_patch_cut: repo.is_patch_cut ? 1 : 0,
  is_set_up: repo.is_set_up ? 1 : 0,
});

function toRow({ project_key, task_number, attempt_number, open_questions, failure, ...row }: StoredRow): AttemptRow {
  const { task_key: _, ...computed } = fromFacts({
    ...row,
    project_key,
    task_number,
    attempt_number,
    open_questions,
    failure,
  });
  return { ...row, ...computed };
}

export const attemptReads = (session: Session): Reads['attempts'] => ({
  find: async (within, id) => {
    const row = await session.get(find, { ...withinParams(within), id });
    return row && toRow(row);
  },
  ofItem: async (within, item, { after, limit }) =>
    (
      await session.all(ofItem, {
        ...withinParams(within),
        item,
        after_time: after?.created_at ?? Number.MAX_SAFE_INTEGER,
        after_id: after?.id ?? '',
        limit,
      })
    ).map(toRow),
  repos: async ({ id, workspace_id }) =>
    (await session.all(repos, { attempt_id: id, workspace_id })).map((repo) => ({
      ...repo,
      is_patch_cut: repo.is_patch_cut === 1,
      is_set_up: repo.is_set_up === 1,
    })),
  removals: (host_id) => session.all(removals, { host_id }),
  ...attemptFeedReads(session),
  ...leftoverReads(session),
  ...sessionReads(session),
});

export const attemptWrites = (session: WriteSession): Transaction['attempts'] => ({
  ...attemptReads(session),
  ...leftoverWrites(session),
  ...sessionWrites(session),
  insert: async (attempt, itsRepos) => {
    await session.write(insert, attempt);
    for (const repo of itsRepos) await session.write(insertRepo, stored(repo));
  },
  update: (attempt) => session.write(update, attempt),
  updateRepo: (repo) => session.write(updateRepo, stored(repo)),
});
