import { type BudgetsConfig, warningOf } from '#domain/budget';
import type { QueuedRun } from '#domain/queued-run';
import type { Run } from '#domain/run';
import { queueMessage } from '#services/board/messages';
import type { Ports } from '#services/ports';
import type { Transaction } from '#store/store';
import { applyRunEvent } from './apply-event.ts';
import { addEntry } from './feed.ts';
import { attemptOfRun } from './finish.ts';
import { budgetEvent } from './run-events.ts';
import { account, judgeRun, usedBy } from './spending.ts';

interface Work {
  readonly tx: Transaction;
  readonly ids: Ports['ids'];
  readonly budgets: BudgetsConfig;
}

/** Warns the agent of a run, once. Returns the run with the time of the warning. */
async function warn({ tx, ids }: Work, entry: QueuedRun, words: string): Promise<Run> {
  const { run } = entry;
  if (run.budget_warned_at !== null) return run;
  const warned: Run = { ...run, budget_warned_at: tx.now };
  await tx.runs.update(warned);
  const { user_id, agent_id } = run;
  const text = warningOf(words);
  const message = { source: 'system', text, may_run: false, user_id, agent_id } as const;
  await queueMessage(tx, ids, await attemptOfRun(tx, entry), message);
  tx.emit(budgetEvent('warned', warned));
  return warned;
}

/**
 * Adds what a run has used to the accounts of its task, project and agent, and judges it by its budgets in the same
 * transaction: whatever else reports at this time, no run goes on after the report that uses a budget up. The entry
 * holds the run as it is stored. Resolves to the entry as it is now.
 */
export async function keepBudget(work: Work, entry: QueuedRun): Promise<QueuedRun> {
  const { tx, ids, budgets } = work;
  if (!(await account(tx, entry, usedBy(entry, tx.now))) || entry.stop_requested_at !== null) return entry;
  const judged = await judgeRun(tx, budgets, entry);
  if (judged === null) return entry;
  if (judged.verdict === 'warn') return { ...entry, run: await warn(work, entry, judged.words) };
  const stop = { type: 'stop', why: 'budget_exceeded', budget: judged.words } as const;
  const stopping = (await applyRunEvent({ tx, ids }, entry, stop)) ?? entry;
  await addEntry({ tx, caller: null }, stopping.run, {
    kind: 'status',
    text: `The budget is used up: ${judged.words}.`,
  });
  tx.emit(budgetEvent('exceeded', stopping.run));
  return stopping;
}

/** The budget that keeps a queued run from beginning, in words; null when there is room. Its own is not begun yet. */
export async function usedUp(tx: Transaction, budgets: BudgetsConfig, entry: QueuedRun): Promise<string | null> {
  const judged = await judgeRun(tx, budgets, entry, ['task', 'project', 'agent']);
  return judged?.verdict === 'over' ? judged.words : null;
}
