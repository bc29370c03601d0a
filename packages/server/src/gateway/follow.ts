import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApprovalOption } from '#domain/approval';
import type { Caller } from '#domain/caller';
import { visible, visibleJson } from '#domain/visible-text';
import { ErrandError } from '#errors';
import { type FollowedRun, type RunView, runResult, viewRun } from '#services/runs/run-view';
import type { Store } from '#store/store';
import type { Tool } from '#tools/catalog';
import type { Followed } from '#tools/define';
import { reachable } from './authorize.ts';
import type { Gateway, Outcome, TransportName } from './gateway.ts';
import { failure } from './outcome.ts';

// Every change of anyone wakes all who follow: what follows closely is looked at together.
const GATHER_MS = 500;
// Where no word of a change comes it is found so much later.
const LOOK_AGAIN_MS = 500;

/** A call that was answered, and has set something going. */
export interface FollowedCall {
  readonly tool: Tool;
  /** What it answered. */
  readonly json: string;
  readonly transport: TransportName;
  /** Who follows, as far as they may by then. */
  readonly who: () => Promise<Caller>;
}

/** A question of a running agent. */
export interface RunQuestion {
  readonly approval_id: string;
  readonly question: string;
  readonly details: string | null;
  /** None for a question that takes any text. */
  readonly options: readonly ApprovalOption[];
}

/** How a run is getting on. */
export interface RunNews {
  /** What a person reads meanwhile. */
  readonly message: string;
  /** Its steps: how many are over, and how many there are. */
  readonly done: number;
  readonly total: number;
  /** What waits for an answer. */
  readonly questions: readonly RunQuestion[];
  /** What the call answers when all is over; null before. */
  readonly end: { readonly outcome: Outcome; readonly failed: boolean } | null;
}

const NOTHING_DONE = { done: 0, total: 0, questions: [] };

const Options = ApprovalOption.array();

/** Rings when something was changed by anyone. */
function createBell(watch: Store['watch']) {
  let rung = Promise.withResolvers<void>();
  const stop = watch(() => rung.resolve());
  return {
    stop,
    next: async (signal: AbortSignal): Promise<void> => {
      await pause(GATHER_MS, undefined, { signal, ref: false });
      await Promise.race([rung.promise, pause(LOOK_AGAIN_MS, undefined, { signal, ref: false })]);
      rung = Promise.withResolvers<void>();
    },
  };
}

function messageOf({ execution, progress: { current }, questions }: Extract<RunView, { kind: 'run' }>): string {
  const [question] = questions;
  if (question !== undefined) return `Waits for an answer: ${question.question}`;
  if (execution.status === 'queued') return 'Waits for a worker to begin.';
  if (current === null) return 'Runs.';
  return current.message === null ? current.name : `${current.name}: ${current.message}`;
}

const isAway = (error: unknown): boolean => error instanceof ErrandError && error.code === 'database_error';

interface Needs extends Pick<Store, 'reads' | 'watch'> {
  readonly find: Gateway['find'];
  readonly dispatch: Gateway['dispatch'];
}

/** What becomes of calls that go on after their answer. */
export function createFollow({ reads, watch, find, dispatch }: Needs): Pick<Gateway, 'follow' | 'stop'> {
  const followedBy = ({ tool, json }: FollowedCall): Followed | null => {
    // The answer is what the tool's own file declared.
    const answer: unknown = JSON.parse(json);
    return tool.follows?.(answer as never) ?? null;
  };

  async function runOf({ tool, who }: FollowedCall, followed: Followed): Promise<FollowedRun> {
    const caller = await who();
    return { caller, within: reachable(caller, tool.scopes), followed };
  }

  const answered = ({ tool, json }: FollowedCall, result: object, failed: boolean): RunNews['end'] => ({
    outcome: { ok: true, json: visibleJson(JSON.stringify(tool.output.parse({ ...JSON.parse(json), ...result }))) },
    failed,
  });

  async function newsOf(call: FollowedCall, run: FollowedRun): Promise<RunNews> {
    const view = await viewRun(reads, run);
    if (view.kind === 'waiting') {
      return { ...NOTHING_DONE, message: 'Waits for the run before it to end.', end: null };
    }
    if (view.kind === 'cancelled') {
      const reason = 'The follow-up was taken back before it began.';
      return { ...NOTHING_DONE, message: reason, end: answered(call, { run_status: 'killed', reason }, true) };
    }
    const { execution, progress, questions } = view;
    const end =
      execution.ended_at === null
        ? null
        : answered(call, await runResult(reads, run.within, execution), execution.status !== 'completed');
    return {
      message: visible(messageOf(view)),
      done: progress.done,
      total: progress.total,
      questions: questions.map(({ id, question, details, options }) => ({
        approval_id: id,
        question: visible(question),
        details: details === null ? null : visible(details),
        options: Options.parse(JSON.parse(options)),
      })),
      end,
    };
  }

  /** Null while the database is away: that is no end of a run. */
  async function look(call: FollowedCall, followed: Followed): Promise<RunNews | null> {
    const run = await runOf(call, followed).catch(nullWhenAway);
    if (run === null) return null;
    try {
      return await newsOf(call, run);
    } catch (error) {
      if (isAway(error)) return null;
      if (!(error instanceof ErrandError)) throw error;
      const outcome = failure(error, call.tool, randomUUID());
      return { ...NOTHING_DONE, message: error.message, end: { outcome, failed: true } };
    }
  }

  async function* follow(call: FollowedCall, signal: AbortSignal): AsyncGenerator<RunNews> {
    const followed = followedBy(call);
    if (followed === null) return;
    const bell = createBell(watch);
    try {
      for (;;) {
        const news = await look(call, followed);
        if (news !== null) yield news;
        if (news !== null && news.end !== null) return;
        await bell.next(signal);
      }
    } finally {
      bell.stop();
    }
  }

  async function ask({ transport }: FollowedCall, caller: Caller, name: string, input: object): Promise<void> {
    const tool = find(name, 'board');
    if (tool === undefined) throw new Error(`there is no ${name}`);
    const outcome = await dispatch({ caller, tool, input, transport });
    if (!outcome.ok) throw new ErrandError('conflict', outcome.error.message);
  }

  async function stop(call: FollowedCall): Promise<void> {
    const followed = followedBy(call);
    if (followed === null) return;
    for (;;) {
      const run = await runOf(call, followed);
      const view = await viewRun(reads, run);
      if (view.kind === 'cancelled') return;
      if (view.kind === 'run') {
        const { ended_at, attempt_id } = view.execution;
        if (ended_at === null) await ask(call, run.caller, 'stop_attempt', { attempt_id });
        return;
      }
      // The run before it may end at this very moment: what was not taken back has begun, and is stopped then.
      const { session_id, id: queued_id } = view.prompt;
      await ask(call, run.caller, 'follow_up', { action: 'cancel', session_id, queued_id });
    }
  }

  return { follow, stop };
}

function nullWhenAway(error: unknown): null {
  if (isAway(error)) return null;
  throw error;
}
