import { z } from 'zod';
import { say } from '#advice';
import { type Approval, ApprovalOption, isAllowing } from '#domain/approval';
import type { Attempt } from '#domain/attempt';
import type { ApprovalId } from '#domain/ids';
import { plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { emitApproval } from '#services/attempts/attempt-events';
import type { ReadWork, WriteWork } from '#services/work';

interface Response {
  readonly option?: string | undefined;
  readonly decision?: 'approve' | 'deny' | undefined;
  readonly answer?: string | undefined;
}

type Answered = Pick<Approval, 'option' | 'answer'> & { readonly status: 'approved' | 'denied' };

const Options = z.array(ApprovalOption);

const noApproval = (id: string): ErrandError =>
  new ErrandError('not_found', `No approval ${id} in the projects where you may do this.`, {
    hint: say`${{ call: 'get_attempt' }} for the questions that wait for an answer.`,
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
    hint: ['An answer cannot be changed.', say`${{ call: 'get_attempt' }} for the questions that wait now.`],
    details: { status },
  });
}

const chosen = ({ option, kind }: ApprovalOption): Answered => ({
  status: isAllowing({ kind }) ? 'approved' : 'denied',
  option,
  answer: null,
});

const listed = (options: readonly ApprovalOption[]): string =>
  options.map(({ option, name }) => `${option} (${name})`).join(', ');

function byOption(options: readonly ApprovalOption[], wanted: string): Answered {
  const found = options.find(({ option }) => option === wanted);
  if (found !== undefined) return chosen(found);
  throw refusal(
    'option',
    'is none of the options of this question',
    options.length === 0 ? say`It has none: give ${{ field: 'answer' }}.` : `Give one of: ${listed(options)}.`,
  );
}

/** Prefers an option for this one time: an option for good must be chosen by its name. */
function byDecision({ kind }: Approval, options: readonly ApprovalOption[], decision: 'approve' | 'deny'): Answered {
  const wanted = decision === 'approve' ? 'allow' : 'reject';
  const option =
    options.find((one) => one.kind === `${wanted}_once`) ?? options.find((one) => one.kind === `${wanted}_always`);
  if (option !== undefined) return chosen(option);
  if (decision === 'deny') return { status: 'denied', option: null, answer: null };
  throw refusal(
    'decision',
    kind === 'question' ? 'does not answer this question' : 'has nothing to approve here',
    say`Give ${{ field: 'answer' }}, or ${{ field: 'option' }}.`,
  );
}

function answerTo(approval: Approval, { option, decision, answer }: Response): Answered {
  const options = Options.parse(JSON.parse(approval.options));
  if (option !== undefined) return byOption(options, option);
  if (decision !== undefined) return byDecision(approval, options, decision);
  if (approval.kind === 'permission') {
    throw refusal(
      'answer',
      'is not what a permission takes',
      say`Give ${{ field: 'decision' }}, or ${{ field: 'option' }}: ${listed(options)}.`,
    );
  }
  return { status: 'approved', option: null, answer: plainText('answer', answer ?? '') };
}

/** Questions of running agents, which wait for an answer. */
export function createApprovals() {
  return {
    respond: async (work: WriteWork, id: ApprovalId, response: Response): Promise<Approval & Answered> => {
      const { tx, caller } = work;
      const given = [response.option, response.decision, response.answer].filter((one) => one !== undefined);
      if (given.length !== 1)
        throw refusal(
          'decision',
          say`give exactly one of ${{ field: 'option' }}, ${{ field: 'decision' }} and ${{ field: 'answer' }}`,
        );
      const { approval, attempt } = await approvalOf(work, id);
      mustBePending(approval);
      const after: Approval & Answered = {
        ...approval,
        ...answerTo(approval, response),
        answered_by_user_id: caller.user_id,
        answered_by_agent_id: caller.agent_id,
        answered_at: tx.now,
      };
      await tx.approvals.update(after);
      await emitApproval(tx, 'updated', attempt, after);
      work.changed(approval, after);
      return after;
    },
  };
}
