import { BUDGET_EXCEEDED } from '#domain/budget';
import { isOurs, isOver, type Run } from '#domain/run';
import { ErrandError } from '#errors';
import type { Ports } from '#services/ports';
import type { WriteWork } from '#services/work';
import { changeRun } from './change-run.ts';
import { keepBudget } from './keep-budget.ts';
import { budgetEvent } from './run-events.ts';
import { account, judgeRun, usedBy } from './spending.ts';

/** Whether a run that is reported from elsewhere was ended for its budget. */
export const isOverBudget = ({ kind, status, reason }: Run): boolean =>
  kind === 'external' && status === 'failed' && reason?.startsWith(BUDGET_EXCEEDED) === true;

export const budgetExceeded = ({ id, reason }: Run): ErrandError =>
  new ErrandError('budget_exceeded', `Execution ${id} was ended: ${reason}.`, {
    hint: 'Stop working on it, and leave what is done for a person to look at.',
  });

/** Judges a report from elsewhere. Errand cannot stop that program, so the run ends here, and further reports are refused. */
async function keepExternal({ tx, caller }: WriteWork, { budgets }: Pick<Ports, 'budgets'>, run: Run): Promise<Run> {
  const of = { run, executor: null };
  const isNews = await account(tx, of, usedBy({ run, spawned_at: null }, tx.now));
  const judged = isNews && !isOver(run.status) ? await judgeRun(tx, budgets, of) : null;
  if (judged === null || (judged.verdict === 'warn' && run.budget_warned_at !== null)) return run;
  if (judged.verdict === 'warn') {
    const warned: Run = { ...run, budget_warned_at: tx.now };
    await tx.runs.update(warned);
    tx.emit(budgetEvent('warned', warned));
    return warned;
  }
  const reason = `${BUDGET_EXCEEDED}: ${judged.words}`;
  const ended: Run = { ...run, status: 'failed', reason, ended_at: tx.now };
  await changeRun({ tx, caller }, run, ended);
  tx.emit(budgetEvent('exceeded', ended));
  return ended;
}

/** Adds a reported usage to its accounts, and judges it by the budgets. Returns the run as it is now. */
export async function keepReported(work: WriteWork, ports: Pick<Ports, 'ids' | 'budgets'>, run: Run): Promise<Run> {
  if (!isOurs(run)) return keepExternal(work, ports, run);
  const entry = isOver(run.status) ? null : await work.tx.queue.find(run);
  const { ids, budgets } = ports;
  return entry === null ? run : (await keepBudget({ tx: work.tx, ids, budgets }, { ...entry, run })).run;
}
