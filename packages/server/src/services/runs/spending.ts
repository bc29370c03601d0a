import {
  type Amounts,
  type BudgetsConfig,
  budgetWords,
  dayOf,
  judge,
  type Limit,
  limitsFor,
  type Spending,
  spentOf,
} from '#domain/budget';
import type { QueuedRun } from '#domain/queued-run';
import type { Run } from '#domain/run';
import { microUsd, storedUsage } from '#domain/usage';
import type { Transaction } from '#store/store';
import { projectNames } from './project-names.ts';

/** A run with the executor that does it; null for a run that is reported from elsewhere. */
export interface SpendingRun {
  readonly run: Run;
  readonly executor: string | null;
}

/** A limit that is used up, or nearly so, with the words for it. */
export interface Judgement {
  readonly verdict: 'warn' | 'over';
  readonly words: string;
}

type Subject = Pick<Spending, 'kind' | 'subject_id'>;

/** Everything that a run counts for. Runs that an agent asked for count for that agent, others for their executor. */
function subjectsOf({ run, executor }: SpendingRun): readonly Subject[] {
  const { id, work_item_id, project_id, agent_id } = run;
  const agent = agent_id ?? (executor === null ? null : `executor:${executor}`);
  const all = { run: id, task: work_item_id, project: project_id, agent } as const;
  return (['run', 'task', 'project', 'agent'] as const).flatMap((kind) => {
    const subject_id = all[kind];
    return subject_id === null ? [] : [{ kind, subject_id }];
  });
}

/** What a run has used so far, by its latest report and the store's clock. */
export function usedBy({ run, spawned_at }: Pick<QueuedRun, 'run' | 'spawned_at'>, now: number): Amounts {
  const { cost_usd = 0, input_tokens = 0, output_tokens = 0 } = storedUsage(run.usage) ?? {};
  const until = run.ended_at ?? now;
  return {
    cost_micro_usd: microUsd(cost_usd),
    tokens: input_tokens + output_tokens,
    seconds: spawned_at === null ? 0 : Math.max(0, Math.floor((until - spawned_at) / 1_000)),
  };
}

/** Adds what a run has used since the last time to all that it counts for. False when that is nothing. */
export async function account(tx: Transaction, of: SpendingRun, used: Amounts): Promise<boolean> {
  const { workspace_id, id } = of.run;
  const before = await tx.spending.total(workspace_id, { kind: 'run', subject_id: id }, null);
  const added: Amounts = {
    // Reports are sums: a smaller one corrects an estimate, and gives nothing back.
    cost_micro_usd: Math.max(0, used.cost_micro_usd - before.cost_micro_usd),
    tokens: Math.max(0, used.tokens - before.tokens),
    seconds: Math.max(0, used.seconds - before.seconds),
  };
  if (Object.values(added).every((amount) => amount === 0)) return false;
  const day = dayOf(tx.now);
  for (const subject of subjectsOf(of)) await tx.spending.add({ workspace_id, ...subject, day, ...added });
  return true;
}

async function agentNames(tx: Transaction, { run, executor }: SpendingRun): Promise<readonly string[]> {
  if (run.agent_id === null) return executor === null ? [] : [executor];
  const agent = await tx.agents.find(run.workspace_id, run.agent_id);
  return agent === null ? [run.agent_id] : [agent.id, agent.name];
}

async function limitsOf(tx: Transaction, budgets: BudgetsConfig, of: SpendingRun): Promise<readonly Limit[]> {
  const { workspace_id, project_id } = of.run;
  const isNamed = Object.keys(budgets.projects).length > 0 && project_id !== null;
  return limitsFor(budgets, {
    project: isNamed ? await projectNames(tx, { workspace_id, project_id }) : null,
    agent: Object.keys(budgets.agents).length > 0 ? await agentNames(tx, of) : [],
  });
}

const IS_DAILY: readonly Spending['kind'][] = ['project', 'agent'];

/** The limit of a run that is used up, else one that nearly is; null when there is room everywhere. `kinds` are those looked at. */
export async function judgeRun(
  tx: Transaction,
  budgets: BudgetsConfig,
  of: SpendingRun,
  kinds: readonly Spending['kind'][] = ['run', 'task', 'project', 'agent'],
): Promise<Judgement | null> {
  const subjects = subjectsOf(of);
  let found: Judgement | null = null;
  for (const limit of await limitsOf(tx, budgets, of)) {
    const subject = subjects.find(({ kind }) => kind === limit.kind);
    if (subject === undefined || !kinds.includes(limit.kind)) continue;
    const day = IS_DAILY.includes(limit.kind) ? dayOf(tx.now) : null;
    const used = spentOf(await tx.spending.total(of.run.workspace_id, subject, day))[limit.of];
    const verdict = judge(used, limit.most);
    if (verdict === 'over') return { verdict, words: budgetWords(limit, used) };
    if (verdict === 'warn') found ??= { verdict, words: budgetWords(limit, used) };
  }
  return found;
}
