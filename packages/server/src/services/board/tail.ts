import { createHash } from 'node:crypto';
import { say } from '#advice';
import type { Attempt } from '#domain/attempt';
import type { AttemptId, RunId } from '#domain/ids';
import { refusal } from '#domain/refusal';
import type { FeedEntry, Step } from '#domain/run';
import type { Ports } from '#services/ports';
import { latestSteps } from '#services/runs/progress';
import type { WaitingPlaces } from '#services/waiting-places';
import type { ReadWork } from '#services/work';
import { attemptOf } from './lookup.ts';

interface TailRequest {
  readonly after?: string | undefined;
  readonly wait_ms: number;
  readonly limit: number;
  /** Returns how many of the entries fit, counted from the first or the last. */
  readonly fitting: (entries: readonly FeedEntry[], from: 'first' | 'last') => number;
}

export interface Tail {
  readonly entries: readonly FeedEntry[];
  /** The newest steps of the latest run, when one of them has changed; else null. */
  readonly steps: readonly Step[] | null;
  readonly run_status: Attempt['run_status'];
  readonly execution_id: RunId | null;
  readonly pending_approvals: number;
  /** Whether older entries are left. */
  readonly has_more: boolean;
  /** The cursor for the next call. */
  readonly after: string;
}

/** What a caller has seen of an attempt: the last entry, and digests of the parts that change without an entry. */
interface Seen {
  readonly entry: Pick<FeedEntry, 'execution_id' | 'seq'> | null;
  readonly state: string;
  readonly steps: string;
}

const POLL_MS = 200;
const MAX_SHOWN_STEPS = 20;
const NOTHING = '-';
const PLACE =
  /^(?<attempt>[\w-]{8})\.(?:(?<execution>[\w-]{1,64}):(?<seq>\d{1,15})|-)\.(?<state>[\w-]{8})\.(?<steps>[\w-]{8})$/;

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8);

const placeOf = (id: AttemptId, { entry, state, steps }: Seen): string =>
  `${digest(id)}.${entry === null ? NOTHING : `${entry.execution_id}:${entry.seq}`}.${state}.${steps}`;

function seenAt(id: AttemptId, after: string): Seen {
  const place = PLACE.exec(after)?.groups;
  // The cursor belongs to another attempt: nothing would ever come after it.
  if (place === undefined || place.attempt !== digest(id)) {
    throw refusal(
      'after',
      say`is not a place that ${{ tool: 'tail_attempt' }} gave for this attempt`,
      say`Pass ${{ field: 'after' }} of the previous answer unchanged, or leave it out.`,
    );
  }
  const { execution, seq, state = '', steps = '' } = place;
  // Safe: it only marks a position in the feed of an attempt that was checked before. A forged one reveals nothing.
  return {
    entry: execution === undefined ? null : { execution_id: execution as RunId, seq: Number(seq) },
    state,
    steps,
  };
}

/** The state of an attempt besides its feed. */
async function standing(work: ReadWork, id: AttemptId) {
  const { tx } = work;
  const attempt = await attemptOf(work, id);
  const [run] = await tx.attempts.runs(attempt, 1);
  const steps = run === undefined ? [] : await latestSteps(tx, run, MAX_SHOWN_STEPS);
  const pending = await tx.approvals.pending(attempt);
  return {
    attempt,
    run_status: attempt.run_status,
    execution_id: run?.id ?? null,
    pending_approvals: pending.length,
    steps,
    state: digest([run?.id, attempt.run_status, pending.map((approval) => approval.id)]),
    steps_state: digest([run?.id, steps.map(({ seq, status, message }) => [seq, status, message])]),
  };
}

/** The feed of an attempt, live. */
export function createTail({ pause }: Pick<Ports, 'pause'>, places: WaitingPlaces) {
  async function look(work: ReadWork, id: AttemptId, { limit, fitting }: TailRequest, seen: Seen | null) {
    const now = await standing(work, id);
    const { attempt } = now;
    const found =
      seen === null
        ? await work.tx.attempts.latestFeed(attempt, limit)
        : await work.tx.attempts.feed(attempt, seen.entry, limit + 1);
    const shown = Math.min(limit, fitting(found, seen === null ? 'last' : 'first'));
    const entries = seen === null ? found.slice(found.length - shown) : found.slice(0, shown);
    const entry = entries.at(-1) ?? seen?.entry ?? null;
    const answer: Tail = {
      entries,
      steps: seen?.steps === now.steps_state ? null : now.steps,
      run_status: now.run_status,
      execution_id: now.execution_id,
      pending_approvals: now.pending_approvals,
      has_more: seen !== null && entries.length < found.length,
      after: placeOf(id, { entry, state: now.state, steps: now.steps_state }),
    };
    return { answer, isNew: seen === null || entries.length > 0 || answer.steps !== null || seen.state !== now.state };
  }

  async function lookUntilNew(work: ReadWork, id: AttemptId, request: TailRequest): Promise<Tail> {
    const seen = request.after === undefined ? null : seenAt(id, request.after);
    let left = request.wait_ms;
    for (;;) {
      const { answer, isNew } = await look(work, id, request, seen);
      if (isNew || left <= 0 || work.signal?.aborted) return answer;
      const ms = Math.min(POLL_MS, left);
      await pause(ms, work.signal);
      left -= ms;
    }
  }

  return {
    /** Returns the entries after `after`, or the latest ones. Waits for new entries as long as the request allows. */
    read: (work: ReadWork, id: AttemptId, request: TailRequest): Promise<Tail> =>
      request.wait_ms === 0
        ? lookUntilNew(work, id, request)
        : places.within(work.caller, () => lookUntilNew(work, id, request)),
  };
}
