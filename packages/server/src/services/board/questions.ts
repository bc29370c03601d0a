import { say } from '#advice';
import { type Approval, type ApprovalOption, UNANSWERED } from '#domain/approval';
import { type Attempt, isActive } from '#domain/attempt';
import type { ApprovalId, AttemptId, RunId, WorkItemId } from '#domain/ids';
import { DAY_MS } from '#domain/limits';
import { plainLine, plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import type { WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { emitQuestion } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { addEntry } from '#services/runs/feed';
import { waitFor } from '#services/wait-for';
import type { WaitingPlaces } from '#services/waiting-places';
import type { TrackerWork } from '#services/work';
import type { Transaction } from '#store/store';
import { NO_ANSWER } from './approvals.ts';
import { attemptOf, taskOf } from './lookup.ts';
import { mustGoOn } from './place-follow-up.ts';

export interface NewQuestion {
  readonly question: string;
  readonly options: readonly { readonly option: string; readonly label?: string | undefined }[];
  readonly attempt_id?: AttemptId | undefined;
  readonly task_id?: WorkItemId | undefined;
  readonly wait_ms: number;
}

/** Where a question belongs: to an attempt and its task, or to a task alone. */
interface QuestionSubject {
  readonly item: Pick<WorkItem, 'id' | 'workspace_id' | 'project_id'>;
  readonly attempt: Attempt | null;
}

/** More questions than people answer at once; an agent that asks more has to wait. */
const MAX_OPEN_QUESTIONS = 20;
/** How long the answer to a question about a task alone is given to a caller that asks it again. */
const KEPT_MS = DAY_MS;

async function subjectOf(work: TrackerWork, { attempt_id, task_id }: NewQuestion): Promise<QuestionSubject> {
  if (attempt_id !== undefined && task_id !== undefined) {
    throw refusal('task_id', say`give either ${{ field: 'attempt_id' }} or ${{ field: 'task_id' }}`);
  }
  if (task_id !== undefined) return { item: await taskOf(work, task_id), attempt: null };
  const id = attempt_id ?? work.caller.attempt_id;
  if (id === null) throw refusal('attempt_id', say`give ${{ field: 'attempt_id' }} or ${{ field: 'task_id' }}`);
  const attempt = await attemptOf(work, id);
  mustGoOn(attempt);
  const { workspace_id, project_id, work_item_id } = attempt;
  return { item: { id: work_item_id, workspace_id, project_id }, attempt };
}

/** The run that asks: that of a caller within it. A question of anybody else is about the attempt, and no run waits for it. */
async function askingRun(tx: Transaction, work: TrackerWork, { attempt }: QuestionSubject): Promise<RunId | null> {
  if (attempt === null || work.caller.attempt_id !== attempt.id || !isActive(attempt.run_status)) return null;
  const [run] = await tx.attempts.runs(attempt, 1);
  return run?.id ?? null;
}

/** Whether the one who asks has not got the answer yet. The agent of an attempt gets it in a message, unless it asks again. */
async function isAnswerUnread(
  tx: Transaction,
  work: TrackerWork,
  asked: Approval,
  { attempt }: QuestionSubject,
): Promise<boolean> {
  if (asked.status !== 'approved' && asked.status !== 'denied') return false;
  if (attempt !== null && asked.execution_id !== null) {
    return (await tx.agentMessages.unread(attempt)).some(({ approval_id }) => approval_id === asked.id);
  }
  const { user_id, agent_id } = work.caller;
  const isOwn = asked.asked_by_user_id === user_id && asked.asked_by_agent_id === agent_id;
  return isOwn && (asked.answered_at ?? 0) > tx.now - KEPT_MS;
}

const optionOf = ({ option, label }: NewQuestion['options'][number]): ApprovalOption => ({
  option,
  name: plainLine('label', label ?? option),
  kind: 'allow_once',
});

interface QuestionAnswer {
  readonly approval_id: ApprovalId;
  readonly status: 'open' | 'answered';
  readonly option?: string;
  readonly text?: string;
}

/** A question as the one who asked it sees it. Throws when nobody will answer it any more. */
export function answerOf(asked: Approval): QuestionAnswer {
  const { id: approval_id, status, option, answer } = asked;
  if (status === 'pending') return { approval_id, status: 'open' };
  if (status === 'expired') {
    throw new ErrandError('conflict', 'Nobody will answer this question: what it is about is over.', {
      hint: say`${{ call: 'get_context' }} for where you are.`,
    });
  }
  const text = answer ?? (option === null ? NO_ANSWER : null);
  return {
    approval_id,
    status: 'answered',
    ...(option !== null && { option }),
    ...(text !== null && { text }),
  };
}

/** Questions of agents to the people who watch, which survive runs and restarts. */
export function createQuestions({ ids, pause, watch }: Ports, places: WaitingPlaces) {
  async function open(
    tx: Transaction,
    work: TrackerWork,
    subject: QuestionSubject,
    wanted: NewQuestion,
  ): Promise<Approval> {
    const { item, attempt } = subject;
    const question = plainText('question', wanted.question);
    const before = await tx.approvals.lastAsked(
      { workspace_id: item.workspace_id, work_item_id: item.id, attempt_id: attempt?.id ?? null },
      question,
    );
    if (before?.status === 'pending') return before;
    if (before !== null && (await isAnswerUnread(tx, work, before, subject))) return before;
    const waiting = await tx.approvals.openOfItem(item);
    if (waiting.length >= MAX_OPEN_QUESTIONS) {
      throw new ErrandError('conflict', `${waiting.length} questions about this task wait for an answer already.`, {
        hint: 'Go on without an answer, or wait until a person has answered some.',
      });
    }
    const asked: Approval = {
      id: ids(),
      execution_id: await askingRun(tx, work, subject),
      attempt_id: attempt?.id ?? null,
      workspace_id: item.workspace_id,
      project_id: item.project_id,
      work_item_id: item.id,
      origin: 'tool',
      asked_by_user_id: work.caller.user_id,
      asked_by_agent_id: work.caller.agent_id,
      kind: 'question',
      question,
      details: null,
      options: JSON.stringify(wanted.options.map(optionOf)),
      ...UNANSWERED,
      created_at: tx.now,
    };
    await tx.approvals.insert(asked);
    await emitQuestion(tx, 'created', asked);
    const [run] = attempt === null ? [] : await tx.attempts.runs(attempt, 1);
    if (run !== undefined) await addEntry({ tx, caller: work.caller }, run, { kind: 'question', text: question });
    work.changed(null, asked);
    return asked;
  }

  async function ask(work: TrackerWork, wanted: NewQuestion): Promise<QuestionAnswer> {
    const subject = await subjectOf(work, wanted);
    const asked = await work.transaction((tx) => open(tx, work, subject, wanted));
    if (asked.status !== 'pending') return answerOf(asked);
    const look = async (): Promise<Approval | null> => {
      const now = (await work.tx.approvals.find(work.within, asked.id))?.approval;
      return now === undefined || now.status === 'pending' ? null : now;
    };
    return answerOf((await waitFor({ watch, pause }, look, wanted.wait_ms, work.signal)) ?? asked);
  }

  return {
    /** Asks, and waits for the answer. The same question that is open, or whose answer was not fetched, is not asked again. */
    ask: (work: TrackerWork, wanted: NewQuestion): Promise<QuestionAnswer> =>
      wanted.wait_ms === 0 ? ask(work, wanted) : places.within(work.caller, () => ask(work, wanted)),
  };
}
