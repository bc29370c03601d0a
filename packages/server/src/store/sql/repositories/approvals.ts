import type { Approval } from '#domain/approval';
import type { ApprovalId, AttemptId, RunId } from '#domain/ids';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';
import { attemptWithin } from './attempt-within.ts';

const COLUMNS = [
  'id',
  'execution_id',
  'attempt_id',
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

const pending = statement<{ readonly attempt_id: AttemptId }, Approval>(
  `${SELECT} where attempt_id = :attempt_id and status = 'pending' order by created_at, id`,
);

const ofRun = statement<{ readonly execution_id: RunId }, Approval>(
  `${SELECT} where execution_id = :execution_id order by created_at, id`,
);

const insert = insertion('approvals', COLUMNS);
const update = change(
  'approvals',
  ['id'],
  ['status', 'option', 'answer', 'answered_by_user_id', 'answered_by_agent_id', 'answered_at'],
);

export const approvalReads = (session: Session): Reads['approvals'] => ({
  find: async (within, id) => {
    const approval = await session.get(find, { id });
    const attempt = approval && (await attemptWithin(session, within, approval.attempt_id));
    return approval && attempt && { approval, attempt };
  },
  pending: ({ id }) => session.all(pending, { attempt_id: id }),
  ofRun: (execution_id) => session.all(ofRun, { execution_id }),
});

export const approvalWrites = (session: WriteSession): Transaction['approvals'] => ({
  ...approvalReads(session),
  insert: (approval) => session.write(insert, approval),
  update: (approval) => session.write(update, approval),
});
