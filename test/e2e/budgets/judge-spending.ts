/** What a run has reported: costs in cents, which add up exactly. */
export interface Totals {
  readonly cents: number;
  readonly tokens: number;
}

export interface SpentRun {
  readonly task: string;
  readonly agent: string;
  /** What it had reported before its last report, and with it. */
  readonly before: Totals;
  readonly now: Totals;
  /** Whether its last report has ended it. */
  readonly has_ended: boolean;
  /** Whether a report after that was refused. */
  readonly is_late_refused: boolean;
}

interface Whole {
  readonly cost_usd?: number;
  readonly tokens?: number;
}

interface Daily {
  readonly cost_usd_per_day?: number;
  readonly tokens_per_day?: number;
}

export interface Limits {
  readonly run: Whole;
  readonly task: Whole;
  readonly projects: Readonly<Record<string, Daily>>;
  readonly agents: Readonly<Record<string, Daily>>;
}

/** Runs that share a limit. */
interface Account {
  readonly name: string;
  readonly runs: readonly SpentRun[];
  readonly cents: number;
  readonly tokens: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function accountsOf(runs: readonly SpentRun[], { run, task, projects, agents }: Limits): readonly Account[] {
  const limit = (usd: number | undefined, tokens: number | undefined) => ({
    cents: usd === undefined ? Number.POSITIVE_INFINITY : Math.round(100 * usd),
    tokens: tokens ?? Number.POSITIVE_INFINITY,
  });
  const whole = ({ cost_usd, tokens }: Whole) => limit(cost_usd, tokens);
  const daily = ({ cost_usd_per_day, tokens_per_day }: Daily) => limit(cost_usd_per_day, tokens_per_day);
  const tasks = [...new Set(runs.map((one) => one.task))];
  return [
    ...runs.map((one, at) => ({ name: `run ${at}`, runs: [one], ...whole(run) })),
    ...tasks.map((id) => ({ name: `task ${id}`, runs: runs.filter((one) => one.task === id), ...whole(task) })),
    ...Object.entries(projects).map(([name, limits]) => ({ name, runs, ...daily(limits) })),
    ...Object.entries(agents).map(([name, limits]) => ({
      name,
      runs: runs.filter(({ agent }) => agent === name),
      ...daily(limits),
    })),
  ];
}

/**
 * What is wrong with how budgets were kept. A report that did not end its run left room in every budget. The latest of those
 * came after all others of them, so together they are less than each limit: no run has exceeded one by more than its last report.
 */
export function judgeSpending(runs: readonly SpentRun[], limits: Limits, total: unknown): readonly string[] {
  const accounts = accountsOf(runs, limits);
  const faults: string[] = [];
  for (const { name, runs: theirs, ...most } of accounts) {
    for (const kind of ['cents', 'tokens'] as const) {
      const going = sum(theirs.map(({ before, now, has_ended }) => (has_ended ? before : now)[kind]));
      if (going >= most[kind])
        faults.push(`${name}: ${going} of ${most[kind]} ${kind} were reported, and no run was ended.`);
    }
  }
  for (const run of runs.filter(({ has_ended }) => has_ended)) {
    const isUsedUp = accounts.some(
      ({ runs: theirs, cents, tokens }) =>
        theirs.includes(run) &&
        (sum(theirs.map(({ now }) => now.cents)) >= cents || sum(theirs.map(({ now }) => now.tokens)) >= tokens),
    );
    if (!isUsedUp) faults.push('A run was ended although nothing of its budgets is used up.');
    if (!run.is_late_refused) faults.push('A report after the end of its run was taken.');
  }
  const { cost_usd, tokens } = total as { readonly cost_usd: number; readonly tokens: number };
  const all = { cents: sum(runs.map(({ now }) => now.cents)), tokens: sum(runs.map(({ now }) => now.tokens)) };
  if (Math.round(100 * cost_usd) !== all.cents || tokens !== all.tokens) {
    faults.push(
      `The accounts have ${cost_usd} USD and ${tokens} tokens; reported were ${all.cents / 100} and ${all.tokens}.`,
    );
  }
  return faults;
}
