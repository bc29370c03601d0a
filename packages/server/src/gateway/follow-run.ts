import { setTimeout as pause } from 'node:timers/promises';
import { type Approval, ApprovalOption } from '#domain/approval';
import type { Caller } from '#domain/caller';
import type { Run } from '#domain/run';
import { visible, visibleJson } from '#domain/visible-text';
import { ErrandError, type ErrorCode, isDatabaseError } from '#errors';
import { answerOf } from '#services/board/questions';
import { briefResult, type FollowedRun, type RunView, runResult, viewRun } from '#services/runs/follow-run';
import type { Store } from '#store/store';
import type { Tool } from '#tools/catalog';
import type { Followed } from '#tools/define';
import { neededBy, reachable } from './authorize.ts';
import type { CallError, Gateway, Outcome, TransportName } from './gateway.ts';
import { failure } from './outcome.ts';
import { createRunSignals } from './run-signals.ts';

// A working agent changes much at once. Changes that follow closely are handled together.
const GATHER_MS = 500;
// No event reports an expired token, so it is checked at this interval.
const LOOK_AGAIN_MS = 10_000;
const TRY_AGAIN_MS = 500;

/** A call that was answered and has started something. */
export interface FollowedCall {
  readonly tool: Tool;
  /** The answer of the call. */
  readonly json: string;
  readonly transport: TransportName;
  /** The following caller, with the rights of now. */
  readonly who: () => Promise<Caller>;
}

/** A question of a running agent. */
export interface RunQuestion {
  readonly approval_id: string;
  readonly question: string;
  readonly details: string | null;
  /** Empty for a question that takes any text. */
  readonly options: readonly ApprovalOption[];
}

/** The progress of a run. */
export interface RunNews {
  /** The status message for people. */
  readonly message: string;
  /** Its steps: how many are over, and how many there are. */
  readonly done: number;
  readonly total: number;
  /** The questions that wait for an answer. */
  readonly questions: readonly RunQuestion[];
  /** The final answer of the call; null before the end. */
  readonly end: { readonly outcome: Outcome; readonly failed: boolean } | null;
}

const NOTHING_DONE = { done: 0, total: 0, questions: [] };

const Options = ApprovalOption.array();

const ENDED = { completed: 'Completed', failed: 'Failed', killed: 'Stopped', interrupted: 'Interrupted' } as const;

function endOf({ status, reason }: Run): string | null {
  if (status === 'queued' || status === 'running') return null;
  return reason === null || reason === 'stopped' ? `${ENDED[status]}.` : `${ENDED[status]}: ${reason}`;
}

type SeenRun = Extract<RunView, { kind: 'run' }>;

function messageOf({ run, progress: { current }, questions }: SeenRun): string {
  const end = endOf(run);
  if (end !== null) return end;
  const [question] = questions;
  if (question !== undefined) return `Waits for an answer: ${question.question}`;
  if (run.status === 'queued') return 'Waits for a worker to begin.';
  if (current === null) return 'Runs.';
  return current.message === null ? current.name : `${current.name}: ${current.message}`;
}

const questionOf = ({ id, question, details, options }: Approval): RunQuestion => ({
  approval_id: id,
  question: visible(question),
  details: details === null ? null : visible(details),
  options: Options.parse(JSON.parse(options)),
});

const questionsOf = ({ questions }: SeenRun): readonly RunQuestion[] => questions.map(questionOf);

/** What the tools answer that start runs. */
interface StartAnswer {
  readonly attempt_id?: string;
  readonly approval_id?: string;
  readonly attempts?: readonly { readonly attempt_id: string; readonly execution_id: string }[];
}

// Safe: the gateway has checked the answer against the output schema of the tool.
const startAnswerOf = ({ json }: FollowedCall): StartAnswer => JSON.parse(json) as StartAnswer;

/** The attempts of an answer, each with the end of its run. */
const endedAttempts = (call: FollowedCall, runs: readonly SeenRun[]) =>
  startAnswerOf(call).attempts?.map((attempt) => {
    const run = runs.find(({ run: { id } }) => id === attempt.execution_id)?.run;
    return run === undefined ? attempt : { ...attempt, ...briefResult(run) };
  });

/** The codes of the board are those of the product. */
function thrownAgain({ code, message, hint, details, retry_after_ms }: CallError): ErrandError {
  return new ErrandError(code as ErrorCode, message, {
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  });
}

/** Every tool that starts a run answers the attempt's id, or those of several; one that asks, the question's. */
function changingIn(call: FollowedCall): readonly string[] {
  const { attempt_id, approval_id, attempts = [] } = startAnswerOf(call);
  if (approval_id !== undefined) return [approval_id];
  return attempt_id === undefined ? attempts.map((attempt) => attempt.attempt_id) : [attempt_id];
}

/** The runs and follow-ups of a call, one by one. */
const partsOf = (followed: Followed): readonly Single[] =>
  'execution_ids' in followed ? followed.execution_ids.map((execution_id) => ({ execution_id })) : [followed];

type Single = FollowedRun['followed'];

interface Needs extends Pick<Store, 'reads' | 'watch'> {
  readonly find: Gateway['find'];
  readonly dispatch: Gateway['dispatch'];
  readonly randomId: () => string;
}

/** Follows calls whose run continues after the answer. */
export function createFollow({ reads, watch, find, dispatch, randomId }: Needs): Pick<Gateway, 'follow' | 'stop'> {
  const signals = createRunSignals({ reads, watch });

  const followedBy = ({ tool, json }: FollowedCall): Followed | null => {
    // The answer is what the tool's own file declared.
    const answer: unknown = JSON.parse(json);
    return tool.follows?.(answer as never) ?? null;
  };

  async function runsOf({ tool, who }: FollowedCall, followed: Followed): Promise<readonly FollowedRun[]> {
    const caller = await who();
    const within = reachable(caller, neededBy(caller, tool));
    return partsOf(followed).map((part) => ({ caller, within, followed: part }));
  }

  const answered = ({ tool, json }: FollowedCall, result: object, failed: boolean): RunNews['end'] => ({
    outcome: { ok: true, json: visibleJson(JSON.stringify(tool.output.parse({ ...JSON.parse(json), ...result }))) },
    failed,
  });

  function newsOfQuestion(call: FollowedCall, asked: Approval): RunNews {
    const answer = answerOf(asked);
    if (answer.status === 'answered') {
      return { ...NOTHING_DONE, message: 'Answered.', end: answered(call, answer, false) };
    }
    const message = visible(`Waits for an answer: ${asked.question}`);
    return { ...NOTHING_DONE, message, questions: [questionOf(asked)], end: null };
  }

  async function newsOf(call: FollowedCall, followed: FollowedRun): Promise<RunNews> {
    const view = await viewRun(reads, followed);
    if (view.kind === 'waiting') {
      return { ...NOTHING_DONE, message: 'Waits for the run before it to end.', end: null };
    }
    if (view.kind === 'cancelled') {
      const reason = 'The follow-up was taken back before it began.';
      return { ...NOTHING_DONE, message: reason, end: answered(call, { run_status: 'killed', reason }, true) };
    }
    if (view.kind === 'question') return newsOfQuestion(call, view.question);
    const { run, progress } = view;
    const end =
      run.ended_at === null
        ? null
        : answered(call, await runResult(reads, followed.within, run), run.status !== 'completed');
    return {
      message: visible(messageOf(view)),
      done: progress.done,
      total: progress.total,
      questions: questionsOf(view),
      end,
    };
  }

  /** The news of runs that were started together: they end with the last of them. */
  async function newsOfAll(call: FollowedCall, followed: readonly FollowedRun[]): Promise<RunNews> {
    const views = await Promise.all(followed.map((run) => viewRun(reads, run)));
    const runs = views.filter((view) => view.kind === 'run');
    const over = runs.filter(({ run }) => run.ended_at !== null);
    const questions = runs.flatMap(questionsOf);
    const [question] = questions;
    const message = `${over.length} of ${runs.length} attempts have ended.`;
    return {
      message: question === undefined ? message : `${message} One waits for an answer: ${question.question}`,
      done: runs.reduce((sum, { progress }) => sum + progress.done, 0),
      total: runs.reduce((sum, { progress }) => sum + progress.total, 0),
      questions,
      end:
        over.length < runs.length
          ? null
          : answered(
              call,
              { attempts: endedAttempts(call, over) },
              !over.some(({ run }) => run.status === 'completed'),
            ),
    };
  }

  /** Null while the database is away: that is no end of a run. */
  async function look(call: FollowedCall, followed: Followed): Promise<RunNews | null> {
    const runs = await runsOf(call, followed).catch(nullWhenAway);
    if (runs === null) return null;
    try {
      const [only] = runs;
      return 'execution_ids' in followed || only === undefined ? await newsOfAll(call, runs) : await newsOf(call, only);
    } catch (error) {
      if (isDatabaseError(error)) return null;
      if (!(error instanceof ErrandError)) throw error;
      const outcome = failure(error, call.tool, randomId());
      return { ...NOTHING_DONE, message: error.message, end: { outcome, failed: true } };
    }
  }

  async function* follow(call: FollowedCall, signal: AbortSignal): AsyncGenerator<RunNews> {
    const followed = followedBy(call);
    if (followed === null) return;
    const changes = signals.open(changingIn(call));
    try {
      for (;;) {
        const news = await look(call, followed);
        if (news !== null) yield news;
        if (news !== null && news.end !== null) return;
        await pause(GATHER_MS, undefined, { signal, ref: false });
        await changes.next(news === null ? TRY_AGAIN_MS : LOOK_AGAIN_MS, signal);
      }
    } finally {
      changes.close();
    }
  }

  async function ask({ transport }: FollowedCall, caller: Caller, name: string, input: object): Promise<void> {
    const tool = find(name, 'board');
    if (tool === undefined) throw new Error(`there is no ${name}`);
    const outcome = await dispatch({ caller, tool, input, transport });
    if (!outcome.ok) throw thrownAgain(outcome.error);
  }

  async function stopOne(call: FollowedCall, part: Single): Promise<void> {
    for (;;) {
      const [run] = await runsOf(call, part);
      if (run === undefined) return;
      const view = await viewRun(reads, run);
      // A question stays: a person may be about to answer it.
      if (view.kind === 'cancelled' || view.kind === 'question') return;
      if (view.kind === 'run') {
        const { id: execution_id, ended_at, attempt_id } = view.run;
        if (ended_at === null) await ask(call, run.caller, 'stop_attempt', { attempt_id, execution_id });
        return;
      }
      // The previous run may end at this moment. If the follow-up could not be withdrawn, it has become a run, which is stopped.
      const { session_id, id: queued_id } = view.prompt;
      await ask(call, run.caller, 'follow_up', { action: 'cancel', session_id, queued_id });
    }
  }

  async function stop(call: FollowedCall): Promise<void> {
    const followed = followedBy(call);
    for (const part of followed === null ? [] : partsOf(followed)) await stopOne(call, part);
  }

  return { follow, stop };
}

function nullWhenAway(error: unknown): null {
  if (isDatabaseError(error)) return null;
  throw error;
}
