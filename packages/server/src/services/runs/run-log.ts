import { type Approval, UNANSWERED } from '#domain/approval';
import { type BudgetsConfig, NO_BUDGETS } from '#domain/budget';
import type { ApprovalId, StepId } from '#domain/ids';
import type { QueuedRun } from '#domain/queued-run';
import {
  type FeedKind,
  MAX_STEPS,
  type PlanItem,
  type Run,
  type Step,
  type StepSource,
  type StepStatus,
} from '#domain/run';
import { type Usage, usageAfter } from '#domain/usage';
import { emitApproval } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import type { Store, Transaction } from '#store/store';
import { addEntry } from './feed.ts';
import { attemptOfRun } from './finish.ts';
import { type Hold, heldRun } from './held-run.ts';
import { keepBudget } from './keep-budget.ts';
import { runEvent, stepEvent } from './run-events.ts';

/** One report from a run. */
export type RunReport =
  | { readonly type: 'feed'; readonly kind: FeedKind; readonly text: string }
  | {
      readonly type: 'step';
      /** Made by the runner, and the same for every change of one step. */
      readonly step_id: StepId;
      readonly name: string;
      readonly status: StepStatus;
      readonly message: string | null;
      readonly source: StepSource;
    }
  | { readonly type: 'session'; readonly agent_session_id: string }
  | { readonly type: 'plan'; readonly entries: readonly PlanItem[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'client'; readonly client: string };

export type AskedQuestion = Pick<Approval, 'kind' | 'question' | 'details' | 'options'>;

/** Writes the reports of runs, for the workers that hold them. */
export function createRunLog(
  store: Pick<Store, 'reads' | 'transaction'>,
  ids: Ports['ids'],
  budgets: BudgetsConfig = NO_BUDGETS,
) {
  async function putStep(tx: Transaction, run: Run, report: RunReport & { type: 'step' }): Promise<Run> {
    const { step_id: id, name, status, message, source } = report;
    const before = await tx.runs.step(run, id);
    const ended_at = status === 'running' ? null : (before?.ended_at ?? tx.now);
    if (before !== null) {
      const step: Step = { ...before, name, status, message, updated_at: tx.now, ended_at };
      await tx.runs.updateStep(step);
      tx.emit(stepEvent('updated', run, step, null));
      return run;
    }
    // The feed still takes entries.
    if (run.step_count >= MAX_STEPS) return run;
    const seq = run.step_count + 1;
    const times = { started_at: tx.now, updated_at: tx.now, ended_at };
    const step: Step = { id, execution_id: run.id, seq, name, status, message, source, ...times };
    await tx.runs.insertStep(step);
    tx.emit(stepEvent('created', run, step, null));
    return { ...run, step_count: seq };
  }

  async function putSession(tx: Transaction, entry: QueuedRun, agent_session_id: string): Promise<Run> {
    const attempt = await attemptOfRun(tx, entry);
    const session = (await tx.attempts.sessions(attempt)).find(({ id }) => id === entry.session_id);
    if (session !== undefined && session.agent_session_id !== agent_session_id) {
      await tx.attempts.updateSession({ ...session, agent_session_id, updated_at: tx.now });
    }
    return { ...entry.run, agent_session_id };
  }

  return {
    /**
     * Writes reports in order, in one transaction. They do not prove that the agent has read its messages: a worker
     * makes some reports by itself.
     */
    write: (hold: Hold, reports: readonly RunReport[]): Promise<void> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        const before = entry.run;
        let run: Run = { ...before, seen_at: Math.max(tx.now, before.seen_at), liveness: 'live' };
        for (const report of reports) {
          if (report.type === 'feed') await addEntry({ tx, caller: null }, run, report);
          else if (report.type === 'step') run = await putStep(tx, run, report);
          else if (report.type === 'usage') run = { ...run, usage: usageAfter(run.usage, report.usage) };
          else if (report.type === 'plan') run = { ...run, plan: JSON.stringify(report.entries) };
          else if (report.type === 'client') run = { ...run, client: report.client };
          else run = await putSession(tx, { ...entry, run }, report.agent_session_id);
        }
        await tx.runs.update(run);
        const { usage, client, agent_session_id, liveness, plan } = run;
        const isNews =
          usage !== before.usage ||
          plan !== before.plan ||
          client !== before.client ||
          agent_session_id !== before.agent_session_id ||
          liveness !== before.liveness;
        if (isNews) tx.emit(runEvent('updated', run, null));
        if (usage !== before.usage) await keepBudget({ tx, ids, budgets }, { ...entry, run });
      }),

    ask: (hold: Hold, question: AskedQuestion): Promise<ApprovalId> =>
      store.transaction(async (tx) => {
        const entry = await heldRun(tx, hold);
        const attempt = await attemptOfRun(tx, entry);
        const approval: Approval = {
          ...question,
          id: ids(),
          execution_id: entry.execution_id,
          attempt_id: attempt.id,
          workspace_id: attempt.workspace_id,
          project_id: attempt.project_id,
          work_item_id: attempt.work_item_id,
          origin: 'protocol',
          asked_by_user_id: entry.run.user_id,
          asked_by_agent_id: entry.run.agent_id,
          ...UNANSWERED,
          created_at: tx.now,
        };
        await tx.approvals.insert(approval);
        await addEntry({ tx, caller: null }, entry.run, { kind: 'question', text: question.question });
        await emitApproval(tx, 'created', attempt, approval);
        return approval.id;
      }),

    /** The questions of a run that were answered or have expired. */
    answered: async ({ execution_id }: Hold): Promise<readonly Approval[]> =>
      (await store.reads.approvals.ofRunForWorker(execution_id)).filter(({ status }) => status !== 'pending'),
  };
}

export type RunLog = ReturnType<typeof createRunLog>;
