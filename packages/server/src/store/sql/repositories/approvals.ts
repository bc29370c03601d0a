import type { Approval } from '#domain/approval';
import type { ApprovalId, RunId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { Run } from '#domain/run';
import { LIMIT } from '#store/sql/page';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';
import { attemptWithin, OF_ATTEMPT, type OfAttempt } from './attempt-within.ts';

const COLUMNS = [
  'id',
  'execution_id',
  'attempt_id',
  'workspace_id',
  'project_id',
  'work_item_id',
  'origin',
  'asked_by_user_id',
  'asked_by_agent_id',
  'kind',
  'question',
  'details',
  'options',
  'status',
  'option',
  'answer',
  'answered_by_user_id',
  'answered_by_agent_id',
  'created_at',
  'answered_at',
] as const satisfies readonly (keyof Approval)[];

const SELECT = `select ${named(COLUMNS)} from approvals`;

const find = statement<{ readonly id: ApprovalId }, Approval>(`${SELECT} where id = :id`);

const within = statement<WithinParams & { readonly id: ApprovalId }, Approval>(
  (words) => `${SELECT} where id = :id and workspace_id = :workspace_id and ${inProjects(words, 'project_id')}`,
);

const LATEST = 'order by created_at desc, id desc limit 1';

const lastOfAttempt = statement<OfAttempt & { readonly question: string }, Approval>(
  `${SELECT} where ${OF_ATTEMPT} and origin = 'tool' and question = :question ${LATEST}`,
);

interface OfItem {
  readonly work_item_id: WorkItemId;
  readonly workspace_id: WorkspaceId;
}

const newestOfItem = statement<OfItem & { readonly limit: number }, Approval>(`
  ${SELECT} where work_item_id = :work_item_id and workspace_id = :workspace_id
  order by created_at desc, id desc ${LIMIT}`);

const OF_ITEM = "work_item_id = :work_item_id and workspace_id = :workspace_id and origin = 'tool'";

const lastOfItem = statement<OfItem & { readonly question: string }, Approval>(
  `${SELECT} where ${OF_ITEM} and attempt_id is null and question = :question ${LATEST}`,
);

const openOfItem = statement<OfItem, Approval>(
  `${SELECT} where ${OF_ITEM} and status = 'pending' order by created_at, id`,
);

const pending = statement<OfAttempt, Approval>(
  `${SELECT} where ${OF_ATTEMPT} and status = 'pending' order by created_at, id`,
);

const ofRun = statement<Pick<Run, 'id' | 'workspace_id'>, Approval>(`
  ${SELECT} where execution_id = (select id from executions where id = :id and workspace_id = :workspace_id)
  order by created_at, id`);

const ofRunForWorker = statement<{ readonly execution_id: RunId }, Approval>(
  `${SELECT} where execution_id = :execution_id order by created_at, id`,
);

const insert = insertion('approvals', COLUMNS);
const update = change(
  'approvals',
  ['id'],
  ['status', 'option', 'answer', 'answered_by_user_id', 'answered_by_agent_id', 'answered_at'],
);

export const approvalReads = (session: Session): Reads['approvals'] => ({
  find: async (sight, id) => {
    const approval = await session.get(find, { id });
    if (approval === null) return null;
    if (approval.attempt_id === null) {
      const alone = await session.get(within, { ...withinParams(sight), id });
      return alone && { approval: alone, attempt: null };
    }
    const attempt = await attemptWithin(session, sight, approval.attempt_id);
    return attempt && { approval, attempt };
  },
  lastAsked: ({ attempt_id, workspace_id, work_item_id }, question) =>
    attempt_id === null
      ? session.get(lastOfItem, { work_item_id, workspace_id, question })
      : session.get(lastOfAttempt, { attempt_id, workspace_id, question }),
  openOfItem: ({ id: work_item_id, workspace_id }) => session.all(openOfItem, { work_item_id, workspace_id }),
  ofItem: ({ id: work_item_id, workspace_id }, limit) =>
    session.all(newestOfItem, { work_item_id, workspace_id, limit }),
  pending: ({ id, workspace_id }) => session.all(pending, { attempt_id: id, workspace_id }),
  ofRun: ({ id, workspace_id }) => session.all(ofRun, { id, workspace_id }),
  ofRunForWorker: (execution_id) => session.all(ofRunForWorker, { execution_id }),
});

export const approvalWrites = (session: WriteSession): Transaction['approvals'] => ({
  ...approvalReads(session),
  insert: (approval) => session.write(insert, approval),
  update: (approval) => session.write(update, approval),
});
