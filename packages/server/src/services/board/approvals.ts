import { z } from 'zod';
import { type Approval, ApprovalOption, isAllowing } from '#domain/approval';
import type { Attempt } from '#domain/attempt';
import type { ApprovalId } from '#domain/ids';
import { plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { tellApproval } from '#services/runs/attempt-events';
import type { ReadWork, WriteWork } from '#services/work';

interface Response {
  readonly option_id?: string | undefined;
  readonly decision?: 'approve' | 'deny' | undefined;
  readonly answer?: string | undefined;
}

type Answered = Pick<Approval, 'status' | 'option_id' | 'answer'>;

const Options = z.array(ApprovalOption);

const noApproval = (id: string): ErrandError =>
  new ErrandError('not_found', `No approval ${id} in the projects where this token may do this.`, {
    hint: 'Call get_attempt for the questions that wait for an answer.',
  });

async function approvalOf(
  work: ReadWork,
  id: ApprovalId,
): Promise<{ readonly approval: Approval; readonly attempt: Attempt }> {
  const found = await work.tx.approvals.find(work.within, id);
  const { attempt_id } = work.caller;
  if (found === null || (attempt_id !== null && attempt_id !== found.attempt.id)) throw noApproval(id);
  work.rightsIn(found.attempt.project_id);
  return found;
}

function mustBePending({ id, status, answered_at }: Approval): void {
  if (status === 'pending') return;
  const when = answered_at === null ? '' : ` at ${new Date(answered_at).toISOString()}`;
  const how = status === 'expired' ? `expired${when}: its run has ended` : `was ${status}${when}`;
  throw new ErrandError('conflict', `Approval ${id} ${how}.`, {
    hint: 'An answer cannot be changed. Call get_attempt for the questions that wait now.',
    details: { status },
  });
}

const chosen = ({ option_id, kind }: ApprovalOption): Answered => ({
  status: isAllowing({ kind }) ? 'approved' : 'denied',
  option_id,
  answer: null,
});

const listed = (options: readonly ApprovalOption[]): string =>
  options.map(({ option_id, name }) => `${option_id} (${name})`).join(', ');

function byOption(options: readonly ApprovalOption[], option_id: string): Answered {
  const option = options.find((one) => one.option_id === option_id);
  if (option !== undefined) return chosen(option);
  throw refusal(
    'option_id',
    'is none of the options of this question',
    options.length === 0 ? 'It has none: give answer.' : `Give one of: ${listed(options)}.`,
  );
}

/** What holds for this one time goes first: for good is only what someone chose by its name. */
function byDecision({ kind }: Approval, options: readonly ApprovalOption[], decision: 'approve' | 'deny'): Answered {
  const wanted = decision === 'approve' ? 'allow' : 'reject';
  const option =
    options.find((one) => one.kind === `${wanted}_once`) ?? options.find((one) => one.kind === `${wanted}_always`);
  if (option !== undefined) return chosen(option);
  if (decision === 'deny') return { status: 'denied', option_id: null, answer: null };
  throw refusal(
    'decision',
    kind === 'question' ? 'does not answer this question' : 'has nothing to approve here',
    'Give answer, or an option_id.',
  );
}

function answerTo(approval: Approval, { option_id, decision, answer }: Response): Answered {
  const options = Options.parse(JSON.parse(approval.options));
  if (option_id !== undefined) return byOption(options, option_id);
  if (decision !== undefined) return byDecision(approval, options, decision);
  if (approval.kind === 'permission') {
    throw refusal('answer', 'is not what a permission takes', `Give decision, or option_id: ${listed(options)}.`);
  }
  return { status: 'approved', option_id: null, answer: plainText('answer', answer ?? '') };
}

/** Questions of running agents, which wait until someone answers. */
export function createApprovals() {
  return {
    respond: async (work: WriteWork, id: ApprovalId, response: Response): Promise<Approval> => {
      const { tx, caller } = work;
      const given = [response.option_id, response.decision, response.answer].filter((one) => one !== undefined);
      if (given.length !== 1) throw refusal('decision', 'give exactly one of option_id, decision and answer');
      const { approval, attempt } = await approvalOf(work, id);
      mustBePending(approval);
      const after: Approval = {
        ...approval,
        ...answerTo(approval, response),
        answered_by_user_id: caller.user_id,
        answered_by_agent_id: caller.agent_id,
        answered_at: tx.now,
      };
      await tx.approvals.update(after);
      await tellApproval(tx, 'updated', attempt, after);
      work.changed(approval, after);
      return after;
    },
  };
}
