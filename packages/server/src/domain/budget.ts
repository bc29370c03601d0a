import { z } from 'zod';
import type { WorkspaceId } from './ids.ts';
import { type ProjectNames, settingsOf } from './project-names.ts';
import { usdOf } from './usage.ts';

/** An amount of cost, tokens and time. */
export interface Spent {
  readonly cost_usd: number;
  readonly tokens: number;
  readonly minutes: number;
}

/** The use of a subject on one day, as it is stored. */
export interface Spending {
  readonly workspace_id: WorkspaceId;
  readonly kind: 'run' | 'task' | 'project' | 'agent';
  readonly subject_id: string;
  /** YYYY-MM-DD in UTC, by the store's clock. */
  readonly day: string;
  readonly cost_micro_usd: number;
  readonly tokens: number;
  readonly seconds: number;
}

/** Amounts as they are stored. */
export type Amounts = Pick<Spending, 'cost_micro_usd' | 'tokens' | 'seconds'>;

export const NO_AMOUNTS: Amounts = { cost_micro_usd: 0, tokens: 0, seconds: 0 };

export const spentOf = ({ cost_micro_usd, tokens, seconds }: Amounts): Spent => ({
  cost_usd: usdOf(cost_micro_usd),
  tokens,
  minutes: seconds / 60,
});

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const amount = z
  .number('must be a number above 0')
  .positive('must be a number above 0')
  .max(1_000_000_000, 'must be at most 1000000000');
const hasOne = [
  (limits: object) => Object.values(limits).some((limit) => limit !== undefined),
  'names no limit',
] as const;

const Whole = z
  .strictObject({ cost_usd: amount.optional(), tokens: amount.optional(), minutes: amount.optional() })
  .refine(...hasOne);
const Daily = z
  .strictObject({
    cost_usd_per_day: amount.optional(),
    tokens_per_day: amount.optional(),
    minutes_per_day: amount.optional(),
  })
  .refine(...hasOne);

/** The operator's limits: of each run and each task, and for each day of a project or an agent. */
export const BudgetsConfig = z
  .strictObject({
    run: Whole.optional(),
    task: Whole.optional(),
    projects: z.record(z.string().min(1), Daily).default({}),
    agents: z.record(z.string().min(1), Daily).default({}),
  })
  .prefault({});
export type BudgetsConfig = z.infer<typeof BudgetsConfig>;

export const NO_BUDGETS: BudgetsConfig = { projects: {}, agents: {} };

/** What is limited, as people read it: "5.02 of 5 USD a run". */
export type Limited = 'a run' | 'a task' | 'a day of the project' | 'a day of the agent';

export interface Limit {
  readonly of: keyof Spent;
  readonly most: number;
  readonly limited: Limited;
  readonly kind: Spending['kind'];
}

const whole = (kind: 'run' | 'task', limits: z.infer<typeof Whole> | undefined): readonly Limit[] =>
  (['cost_usd', 'tokens', 'minutes'] as const).flatMap((of) => {
    const most = limits?.[of];
    return most === undefined ? [] : [{ of, most, limited: `a ${kind}`, kind } as const];
  });

const daily = (kind: 'project' | 'agent', settings: readonly z.infer<typeof Daily>[]): readonly Limit[] =>
  settings.flatMap((limits) =>
    (['cost_usd', 'tokens', 'minutes'] as const).flatMap((of) => {
      const most = limits[`${of}_per_day`];
      return most === undefined ? [] : [{ of, most, limited: `a day of the ${kind}`, kind } as const];
    }),
  );

/** The names of the agent or executor that a run counts for. */
export type AgentNames = readonly string[];

/** All limits that a run is held to. */
export const limitsFor = (
  { run, task, projects, agents }: BudgetsConfig,
  names: { readonly project: ProjectNames | null; readonly agent: AgentNames },
): readonly Limit[] => [
  ...whole('run', run),
  ...whole('task', task),
  ...daily('project', names.project === null ? [] : settingsOf(projects, names.project)),
  ...daily(
    'agent',
    Object.entries(agents)
      .filter(([given]) => names.agent.includes(given))
      .map(([, limits]) => limits),
  ),
];

export const WARN_AT = 0.8;

/** Whether a limit is used up, nearly so, or not. */
export function judge(used: number, most: number): 'ok' | 'warn' | 'over' {
  if (used >= most) return 'over';
  return used >= WARN_AT * most ? 'warn' : 'ok';
}

const UNITS = { cost_usd: 'USD', tokens: 'tokens', minutes: 'minutes' } as const;

const shown = (value: number): string => String(Math.round(value * 100) / 100);

/** For example "5.02 of 5 USD a run". */
export const budgetWords = ({ of, most, limited }: Limit, used: number): string =>
  `${shown(used)} of ${shown(most)} ${UNITS[of]} ${limited}`;

/** The message that an agent gets once, when its budget is nearly used. */
export const warningOf = (words: string): string =>
  `${WARN_AT * 100} % of the budget is used (${words}): come to an end.`;

/** How the reason of a run begins that was ended for its budget. */
export const BUDGET_EXCEEDED = 'budget_exceeded';

/** What a report of costs adds up by. */
export type CostsBy = 'task' | 'agent' | 'day' | 'project';
