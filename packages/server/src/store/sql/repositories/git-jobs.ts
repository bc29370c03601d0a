import type { DueWatch, GitJob, PullRequestWatch } from '#domain/git-job';
import type { GitJobId, WorkItemId, WorkspaceId } from '#domain/ids';
import { type Clocked, clocked } from '#store/sql/clocked';
import { LIMIT } from '#store/sql/page';
import { change, insertion, named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';
import { OF_ATTEMPT, type OfAttempt } from './attempt-within.ts';

const NAMES = [
  'id',
  'operation_id',
  'workspace_id',
  'project_id',
  'attempt_id',
  'kind',
  'mode',
  'request',
  'user_id',
  'agent_id',
  'created_at',
] as const satisfies readonly (keyof GitJob)[];

const CHANGING = [
  'status',
  'phase',
  'plan',
  'result',
  'host_id',
  'worker_id',
  'epoch',
  'lease_until',
  'ended_at',
] as const satisfies readonly Exclude<keyof GitJob, (typeof NAMES)[number]>[];

const SELECT = `select ${named([...NAMES, ...CHANGING])} from git_jobs`;

const OLDEST_FIRST = 'order by created_at, id';

const find = statement<WithinParams & { readonly id: GitJobId }, GitJob>(
  (words) => `${SELECT} where id = :id and workspace_id = :workspace_id and ${inProjects(words, 'project_id')}`,
);

const ofOperation = statement<{ readonly workspace_id: WorkspaceId; readonly operation_id: string }, GitJob>(
  `${SELECT} where operation_id = :operation_id and workspace_id = :workspace_id`,
);

const ofAttempt = statement<OfAttempt & { readonly limit: number }, GitJob>(
  `${SELECT} where ${OF_ATTEMPT} order by created_at desc, id desc ${LIMIT}`,
);

const openOfItem = statement<{ readonly workspace_id: WorkspaceId; readonly item_id: WorkItemId }, GitJob>(`
  ${SELECT}
  where ended_at is null and workspace_id = :workspace_id
    and attempt_id in (select id from attempts where work_item_id = :item_id)
  ${OLDEST_FIRST}`);

const findForWorker = statement<{ readonly id: GitJobId }, GitJob>(`${SELECT} where id = :id`);

const waiting = statement<{ readonly host_id: string; readonly limit: number }, GitJob>(`
  ${SELECT} where ended_at is null and status = 'queued' and (host_id = :host_id or host_id is null)
  ${OLDEST_FIRST} ${LIMIT}`);

// A job without a lease is lost too: no worker would ever end it.
const lost = clocked<{ readonly worker_ids: string }, GitJob>(
  (now, { listed }) => `
    ${SELECT}
    where ended_at is null and status = 'running'
      and (coalesce(lease_until, 0) <= ${now} or worker_id in ${listed('worker_ids')})
    ${OLDEST_FIRST}`,
);

const WATCH = ['attempt_id', 'host_id', 'next_at'] as const satisfies readonly (keyof PullRequestWatch)[];

const dueWatches = clocked<{ readonly host_id: string; readonly limit: number }, DueWatch>(
  (now) => `
    select ${named(WATCH, 'pr_watch')}, attempts.workspace_id, attempts.project_id
    from pr_watch join attempts on attempts.id = pr_watch.attempt_id
    where pr_watch.host_id = :host_id and next_at <= ${now}
    order by next_at, attempt_id ${LIMIT}`,
);

const insert = insertion('git_jobs', [...NAMES, ...CHANGING]);
const update = change('git_jobs', ['id', 'workspace_id'], CHANGING);
const putWatch = replacement('pr_watch', { key: ['attempt_id'], columns: WATCH });
const dropWatch = statement<OfAttempt, never>(`delete from pr_watch where ${OF_ATTEMPT}`);

const jobsOf = (session: Session, clock: () => number, when: keyof Clocked<object, never>): Reads['gitJobs'] => ({
  find: (within, id) => session.get(find, { ...withinParams(within), id }),
  ofOperation: (workspace_id, operation_id) => session.get(ofOperation, { workspace_id, operation_id }),
  ofAttempt: ({ id, workspace_id }, limit) => session.all(ofAttempt, { attempt_id: id, workspace_id, limit }),
  openOfItem: ({ id, workspace_id }) => session.all(openOfItem, { item_id: id, workspace_id }),
  findForWorker: (id) => session.get(findForWorker, { id }),
  waiting: (query) => session.all(waiting, query),
  lost: (worker_ids) => session.all(lost[when], { worker_ids: JSON.stringify(worker_ids), now: clock() }),
  dueWatches: (query) => session.all(dueWatches[when], { ...query, now: clock() }),
});

export const gitJobReads = (session: Session, clock: () => number): Reads['gitJobs'] =>
  jobsOf(session, clock, 'current');

export const gitJobWrites = (session: WriteSession): Transaction['gitJobs'] => ({
  ...jobsOf(session, () => session.now, 'at'),
  insert: (job) => session.write(insert, job),
  update: (job) => session.write(update, job),
  putWatch: (watch) => session.write(putWatch, watch),
  dropWatch: ({ id, workspace_id }) => session.write(dropWatch, { attempt_id: id, workspace_id }),
});
