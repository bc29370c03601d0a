import type { Approval } from '#domain/approval';
import type { ApprovalId, StepId } from '#domain/ids';
import type { Execution, FeedKind, Step, StepSource, StepStatus, Usage } from '#domain/run';
import { tellApproval } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import type { RunRow, Store, Transaction } from '#store/store';
import { addEntry } from './feed.ts';
import { attemptOfRun } from './finish.ts';
import { type Hold, heldRun } from './held-run.ts';
import { executionEvent, stepEvent } from './run-events.ts';

/** One thing that happened in a run. */
export type Happening =
  | { readonly type: 'feed'; readonly kind: FeedKind; readonly text: string }
  | {
      readonly type: 'step';
      /** Of the runner's own making: the same for every change of one step. */
      readonly step_id: StepId;
      readonly name: string;
      readonly status: StepStatus;
      readonly message: string | null;
      readonly source: StepSource;
    }
  | { readonly type: 'session'; readonly agent_session_id: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'client'; readonly client: string };

export type AskedQuestion = Pick<Approval, 'kind' | 'question' | 'details' | 'options'>;

/** As many as one can look through; an agent that goes on and on is still heard, in its feed. */
const MOST_STEPS = 10_000;

/** Writes down what happens in runs, for the workers that hold them. */
export function createRunLog(store: Pick<Store, 'reads' | 'transaction'>, ids: Ports['ids']) {
  async function putStep(
    tx: Transaction,
    execution: Execution,
    told: Happening & { type: 'step' },
  ): Promise<Execution> {
    const { step_id: id, name, status, message, source } = told;
    const before = await tx.executions.step(execution, id);
    const ended_at = status === 'running' ? null : (before?.ended_at ?? tx.now);
    if (before !== null) {
      const step: Step = { ...before, name, status, message, updated_at: tx.now, ended_at };
      await tx.executions.updateStep(step);
      tx.emit(stepEvent('updated', execution, step, null));
      return execution;
    }
    if (execution.step_count >= MOST_STEPS) return execution;
    const seq = execution.step_count + 1;
    const times = { started_at: tx.now, updated_at: tx.now, ended_at };
    const step: Step = { id, execution_id: execution.id, seq, name, status, message, source, ...times };
    await tx.executions.insertStep(step);
    tx.emit(stepEvent('created', execution, step, null));
    return { ...execution, step_count: seq };
  }

  async function putSession(tx: Transaction, run: RunRow, agent_session_id: string): Promise<Execution> {
    const attempt = await attemptOfRun(tx, run);
    const session = (await tx.attempts.sessions(attempt)).find(({ id }) => id === run.session_id);
    if (session !== undefined && session.agent_session_id !== agent_session_id) {
      await tx.attempts.updateSession({ ...session, agent_session_id, updated_at: tx.now });
    }
    return { ...run.execution, agent_session_id };
  }

  return {
    /** All of it, in order, in one go: what an agent says is many small things. */
    write: (hold: Hold, happenings: readonly Happening[]): Promise<void> =>
      store.transaction(async (tx) => {
        const run = await heldRun(tx, hold);
        const before = run.execution;
        let execution: Execution = { ...before, seen_at: Math.max(tx.now, before.seen_at), liveness: 'live' };
        for (const told of happenings) {
          if (told.type === 'feed') await addEntry({ tx, caller: null }, execution, told);
          else if (told.type === 'step') execution = await putStep(tx, execution, told);
          else if (told.type === 'usage') execution = { ...execution, usage: JSON.stringify(told.usage) };
          else if (told.type === 'client') execution = { ...execution, client: told.client };
          else execution = await putSession(tx, { ...run, execution }, told.agent_session_id);
        }
        await tx.executions.update(execution);
        const { usage, client, agent_session_id, liveness } = execution;
        const isNews =
          usage !== before.usage ||
          client !== before.client ||
          agent_session_id !== before.agent_session_id ||
          liveness !== before.liveness;
        if (isNews) tx.emit(executionEvent('updated', execution, null));
      }),

    ask: (hold: Hold, question: AskedQuestion): Promise<ApprovalId> =>
      store.transaction(async (tx) => {
        const run = await heldRun(tx, hold);
        const attempt = await attemptOfRun(tx, run);
        const approval: Approval = {
          ...question,
          id: ids() as ApprovalId,
          execution_id: run.execution_id,
          attempt_id: attempt.id,
          status: 'pending',
          option: null,
          answer: null,
          answered_by_user_id: null,
          answered_by_agent_id: null,
          created_at: tx.now,
          answered_at: null,
        };
        await tx.approvals.insert(approval);
        await addEntry({ tx, caller: null }, run.execution, { kind: 'question', text: question.question });
        await tellApproval(tx, 'created', attempt, approval);
        return approval.id;
      }),

    /** Questions of a run that are not open any more. */
    answered: async ({ execution_id }: Hold): Promise<readonly Approval[]> =>
      (await store.reads.approvals.ofRun(execution_id)).filter(({ status }) => status !== 'pending'),
  };
}

export type RunLog = ReturnType<typeof createRunLog>;
