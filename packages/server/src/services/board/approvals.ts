import { z } from 'zod';
import { say } from '#advice';
import { shortText } from '#domain/answer-size';
import { type Approval, ApprovalOption, isAllowing } from '#domain/approval';
import { type Attempt, isActive } from '#domain/attempt';
import type { ApprovalId } from '#domain/ids';
import { plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import { emitApproval, emitQuestion } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { startWithMessages } from '#services/runs/start-with-messages';
import type { ReadWork, WriteWork } from '#services/work';
import { queueMessage } from './messages.ts';

interface Response {
  readonly option?: string | undefined;
  readonly decision?: 'approve' | 'deny' | undefined;
  readonly answer?: string | undefined;
}

type Answered = Pick<Approval, 'option' | 'answer'> & { readonly status: 'approved' | 'denied' };

const Options = z.array(ApprovalOption);

const MAX_QUESTION_CHARACTERS = 300;

const noApproval = (id: string): ErrandError =>
  new ErrandError('not_found', `No approval ${id} in the projects where you may do this.`, {
    hint: say`${{ call: 'get_attempt' }} for the questions that wait for an answer.`,
  });

async function approvalOf(
  work: ReadWork,
  id: ApprovalId,
): Promise<{ readonly approval: Approval; readonly attempt: Attempt | null }> {
  const found = await work.tx.approvals.find(work.within, id);
  const { attempt_id } = work.caller;
  if (found === null || (attempt_id !== null && attempt_id !== found.attempt?.id)) throw noApproval(id);
  const project_id = found.attempt?.project_id ?? found.approval.project_id;
  if (project_id !== null) work.rightsIn(project_id);
  return found;
}

function mustBePending({ id, status, answered_at, origin }: Approval): void {
  if (status === 'pending') return;
  const when = answered_at === null ? '' : ` at ${new Date(answered_at).toISOString()}`;
  const why = origin === 'tool' ? 'what it was about is over' : 'its run has ended';
  const how = status === 'expired' ? `expired${when}: ${why}` : `was ${status}${when}`;
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
function byDecision(
  { kind, origin }: Approval,
  options: readonly ApprovalOption[],
  decision: 'approve' | 'deny',
): Answered {
  // The options of such a question are of one kind: which of them is meant?
  if (origin === 'tool' && decision === 'approve' && options.length > 1) {
    throw refusal('decision', 'does not say which option', say`Give ${{ field: 'option' }}: ${listed(options)}.`);
  }
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

/** What an agent reads when a person has declined to answer. */
export const NO_ANSWER = 'No answer: decide by yourself.';

/** The words of an answer, as the agent reads them. */
const answerWords = ({ option, answer, options }: Pick<Approval, 'option' | 'answer' | 'options'>): string => {
  if (answer !== null) return answer;
  const chosen = Options.parse(JSON.parse(options)).find((one) => one.option === option);
  if (chosen === undefined) return option ?? NO_ANSWER;
  return chosen.name === chosen.option ? chosen.option : `${chosen.option} (${chosen.name})`;
};

/** Questions of agents, which wait for an answer. */
export function createApprovals({ ids }: Ports) {
  /** Queues the answer for the agent that asked: it may have gone on, or its server was restarted. */
  async function tellAnswer({ tx, caller }: WriteWork, approval: Approval, attempt: Attempt): Promise<void> {
    const { user_id, agent_id } = caller;
    const text = `Answer to “${shortText(approval.question, MAX_QUESTION_CHARACTERS)}”: ${answerWords(approval)}`;
    // The answer needs the right to run agents.
    const draft = { source: 'answer', text, approval_id: approval.id, may_run: true, user_id, agent_id } as const;
    const message = await queueMessage(tx, ids, attempt, draft);
    if (!isActive(attempt.run_status)) await startWithMessages(tx, ids, attempt, [message]);
  }

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
      if (attempt === null) await emitQuestion(tx, 'updated', after);
      else await emitApproval(tx, 'updated', attempt, after);
      // Only the agent of a run gets the answer as a message. A caller outside of the attempt asks again.
      if (attempt !== null && after.origin === 'tool' && after.execution_id !== null) {
        await tellAnswer(work, after, attempt);
      }
      work.changed(approval, after);
      return after;
    },
  };
}
