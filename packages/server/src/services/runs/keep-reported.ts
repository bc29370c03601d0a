import { say } from '#advice';
import { BUDGET_EXCEEDED, warningOf } from '#domain/budget';
import type { QueuedRun } from '#domain/queued-run';
import { isOurs, isOver, type Run } from '#domain/run';
import { mayReportIn, mayReportUsage } from '#domain/run-visibility';
import type { Usage } from '#domain/usage';
import { ErrandError } from '#errors';
import type { Ports } from '#services/ports';
import type { WriteWork } from '#services/work';
import { changeRun } from './change-run.ts';
import { keepBudget } from './keep-budget.ts';
import { budgetEvent } from './run-events.ts';
import { account, judgeRun, usedBy } from './spending.ts';

/** Whether a run was or will be ended for its budget. A person may still report on an ended run of ours. */
const isOverBudget = ({ kind, status, reason }: Run, entry: QueuedRun | null): boolean =>
  kind === 'external'
    ? status === 'failed' && reason?.startsWith(BUDGET_EXCEEDED) === true
    : entry?.stop_reason === 'budget_exceeded' && !isOver(status);

const budgetExceeded = ({ id, reason }: Run): ErrandError =>
  new ErrandError('budget_exceeded', `Execution ${id} was ended: ${reason}.`, {
    hint: 'Stop working on it, and leave what is done for a person to look at.',
  });

const isOfAnother = ({ id }: Run): ErrandError =>
  new ErrandError('insufficient_scope', `The cost of execution ${id} is reported by its own agent alone.`, {
    hint: 'Report your cost to your own run: its id is in NOVA_EXECUTION_ID.',
  });

/** For a guest of the project, or one who has left it. */
export const mayNotReportThere = (): ErrandError =>
  new ErrandError('insufficient_scope', 'Only members of a project begin runs in it, and report their costs.', {
    hint: say`An admin makes you a member: ${{ command: 'member add' }} NAME --project KEY.`,
  });

/** Refuses a report to a run whose budget is used up, and a cost that is not the caller's to report. */
export async function checkReport(
  { tx, caller }: WriteWork,
  run: Run,
  { usage }: { readonly usage?: Usage | undefined },
): Promise<void> {
  const entry = isOurs(run) ? await tx.queue.find(run) : null;
  if (isOverBudget(run, entry)) throw budgetExceeded(run);
  if (usage === undefined || mayReportUsage(caller, run, entry?.token_id ?? null)) return;
  throw mayReportIn(caller, run.project_id) ? isOfAnother(run) : mayNotReportThere();
}

/** A run after a report. */
interface KeptRun {
  readonly run: Run;
  /** A warning for the reporter, given once; null for none. The agent of a run of ours gets it as a message. */
  readonly warning: string | null;
}

/** Judges a report from elsewhere. Errand cannot stop that program, so the run ends here, and further reports are refused. */
async function keepExternal(
  { tx, caller }: WriteWork,
  { budgets }: Pick<Ports, 'budgets'>,
  run: Run,
): Promise<KeptRun> {
  const of = { run, executor: null };
  const isNews = await account(tx, of, usedBy({ run, spawned_at: null }, tx.now));
  const judged = isNews && !isOver(run.status) ? await judgeRun(tx, budgets, of) : null;
  if (judged === null || (judged.verdict === 'warn' && run.budget_warned_at !== null)) return { run, warning: null };
  if (judged.verdict === 'warn') {
    const warned: Run = { ...run, budget_warned_at: tx.now };
    await tx.runs.update(warned);
    tx.emit(budgetEvent('warned', warned));
    return { run: warned, warning: warningOf(judged.words) };
  }
  const reason = `${BUDGET_EXCEEDED}: ${judged.words}`;
  const ended: Run = { ...run, status: 'failed', reason, ended_at: tx.now };
  await changeRun({ tx, caller }, run, ended);
  tx.emit(budgetEvent('exceeded', ended));
  return { run: ended, warning: null };
}

/** Adds a reported usage to its accounts, and judges it by the budgets. */
export async function keepReported(work: WriteWork, ports: Pick<Ports, 'ids' | 'budgets'>, run: Run): Promise<KeptRun> {
  if (!isOurs(run)) return keepExternal(work, ports, run);
  const { tx } = work;
  const found = await tx.queue.find(run);
  if (found === null) return { run, warning: null };
  const entry: QueuedRun = { ...found, run };
  const { ids, budgets } = ports;
  if (!isOver(run.status)) return { run: (await keepBudget({ tx, ids, budgets }, entry)).run, warning: null };
  await account(tx, entry, usedBy(entry, tx.now));
  return { run, warning: null };
}
