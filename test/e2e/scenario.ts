import { expect } from 'vitest';
import type { RequirementId } from '../requirements.ts';
import type { Arguments, Client, TodoTool } from './client.ts';
import type { Database } from './database.ts';

/** The holder of the token: a service for everyone, a service for Alice only, or Alice. */
export type Actor = 'service' | 'service of alice' | 'alice';

/** A value that only exists while a scenario runs: a user's id, or a field of an answer that was kept. */
class Later {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}

export const ALICE = new Later('alice.user_id');
export const BOB = new Later('bob.user_id');
/** `of('milk', 'task_id')`: a field of the answer kept as `milk`. */
export const of = (name: string, field = 'task_id'): Later => new Later(`${name}.${field}`);

export interface CallStep {
  readonly call: TodoTool;
  /** The arguments. `user_id` is Alice unless given here. */
  readonly with: Arguments;
  readonly as?: Actor;
  readonly keep?: string;
  /** The whole answer. It may contain matchers of the test runner. */
  readonly gives?: unknown;
  /** The code of the error; without one the call must succeed. */
  readonly fails?: string;
  /** The message of the error. */
  readonly saying?: RegExp;
}

export interface RowsStep {
  /** A query, with `?` for parameters. */
  readonly rows: string;
  readonly with: readonly unknown[];
  readonly are: readonly unknown[];
}

/** The transports over which a scenario cannot run, with the reason. */
export type Gaps = Readonly<Record<string, string>>;

export interface Scenario {
  readonly cites: readonly RequirementId[];
  readonly title: string;
  readonly given?: readonly CallStep[];
  /** Calls over the tested transport. Several calls are made at once. */
  readonly when: CallStep | readonly CallStep[];
  readonly afterwards?: readonly (CallStep | RowsStep)[];
  readonly not_over?: Gaps;
}

export const call = (tool: TodoTool, args: Arguments = {}, more: Omit<CallStep, 'call' | 'with'> = {}): CallStep => ({
  call: tool,
  with: args,
  ...more,
});

/** A call and its whole answer, which may contain matchers of the test runner. */
export const answered = (tool: TodoTool, args: Arguments, gives: unknown): CallStep => call(tool, args, { gives });

/** A call that fails with this code and message. */
export const refused = (
  tool: TodoTool,
  args: Arguments,
  fails: string,
  saying = /\w/,
  as: Actor = 'service',
): CallStep => call(tool, args, { fails, saying, as });

/** A query with `?` for parameters, and the rows that it must find. */
export const rows = (sql: string, parameters: readonly unknown[], are: readonly unknown[]): RowsStep => ({
  rows: sql,
  with: parameters,
  are,
});

/** Adds a task, and keeps the answer under a name. */
export const added = (keep: string, args: Arguments = {}): CallStep =>
  call('add_task', { title: keep, ...args }, { keep });

const callsOf = ({ when }: Scenario): readonly CallStep[] =>
  Array.isArray(when) ? (when as readonly CallStep[]) : [when as CallStep];

/** Calls of one kind differ in their values alone: a command writes every value and every refusal of a code alike. */
function kindOf(scenario: Scenario): string {
  const kinds = callsOf(scenario).map(({ call, with: args, as, fails, gives }) =>
    fails === undefined ? [call, Object.keys(args), as, gives !== undefined] : [fails, as],
  );
  return JSON.stringify(kinds);
}

/** Returns the first scenario of each kind. */
export function oneOfEachKind(scenarios: readonly Scenario[]): readonly Scenario[] {
  const first = new Map(scenarios.toReversed().map((scenario) => [kindOf(scenario), scenario]));
  return scenarios.filter((scenario) => first.get(kindOf(scenario)) === scenario);
}

/** The users of one scenario, and their clients. */
export interface Stage {
  readonly user: (name: string) => Promise<string>;
  /** Returns a client over the tested transport. */
  readonly client: (actor: Actor) => Promise<Client>;
  /** A fast client for the preconditions. */
  readonly setup: Client;
  /** The service's client for what is checked afterwards. */
  readonly check: Client;
  readonly database: Database;
}

/** Runs a scenario. Throws at the first deviation. */
export async function play(scenario: Scenario, stage: Stage): Promise<void> {
  const kept = new Map<string, Readonly<Record<string, unknown>>>();
  const resolve = async (value: unknown): Promise<unknown> => {
    if (value instanceof Later) {
      const [name = '', field = ''] = value.path.split('.');
      return field === 'user_id' ? stage.user(name) : kept.get(name)?.[field];
    }
    if (Array.isArray(value)) return Promise.all(value.map(resolve));
    if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
    const entries = await Promise.all(Object.entries(value).map(async ([key, inner]) => [key, await resolve(inner)]));
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
  };

  const make = async (step: CallStep, client: Client): Promise<void> => {
    const args = (await resolve({ user_id: ALICE, ...step.with })) as Arguments;
    const answer = await client.call(step.call, args);
    if (!answer.ok) {
      expect(answer.error, `${step.call} failed`).toMatchObject({ code: step.fails });
      expect(answer.error.message).toMatch(step.saying ?? /\w/);
      expect(answer.error.correlation_id).toMatch(/\S/);
      expect(answer.error.retryable).toBe(false);
      return;
    }
    expect(step.fails, `${step.call} answered ${JSON.stringify(answer.value)}`).toBeUndefined();
    if (step.gives !== undefined) expect(answer.value).toEqual(await resolve(step.gives));
    if (step.keep !== undefined) kept.set(step.keep, answer.value);
  };

  for (const step of scenario.given ?? []) await make(step, stage.setup);

  await Promise.all(callsOf(scenario).map(async (step) => make(step, await stage.client(step.as ?? 'service'))));

  for (const step of scenario.afterwards ?? []) {
    if ('call' in step) {
      await make(step, step.as === undefined ? stage.check : await stage.client(step.as));
      continue;
    }
    const parameters = (await resolve(step.with)) as readonly unknown[];
    const expected = await resolve(step.are);
    // The messages of read calls are written a moment later.
    await expect.poll(() => stage.database.rows(step.rows, parameters), { interval: 20 }).toEqual(expected);
  }
}
