import { BUDGET_EXCEEDED } from './budget.ts';
import type { CheckedRun } from './check.ts';
import type { TokenId } from './ids.ts';
import type { QueuedRun } from './queued-run.ts';
import { isOurs, isOver, type Run, type RunStatus } from './run.ts';

/*
 * The life of a run that Errand starts.
 *
 *             claim              begin_process
 *   queued ──────────▶ claimed ───────────────▶ started ⟲ begin_process
 *    │  ▲                │ │                     │ │
 *    │  └── give_up ─────┘ │ stop                │ │ stop
 *    │                     ▼                     │ ▼
 *    │ stop     claimed_stopping                 │ started_stopping
 *    │ deny                │                     │ │
 *    ▼                     ▼ finish, give_up     ▼ ▼
 *   ended: completed, failed, killed or interrupted
 *
 * claimed and started also take finish, and give_up ends a started run.
 *
 * event          caused by                      writes
 * claim          a worker with room             worker, host, lease, token, epoch + 1; status running
 * deny           a worker: the person or agent  status killed, or failed where a budget is used up; ends as below
 *                may run nothing here any more,
 *                or a budget is used up
 * begin_process  the worker that holds the run  spawned_at: from here on the run is never started again
 * note_process   the worker that holds the run  pid, its start time, boot id
 * renew          the worker that holds the run  lease
 * stop           a caller of stop_attempt, a    queued: status killed; held: stop_requested_at and stop_reason, for
 *                used-up budget, an interrupt   its worker
 * finish         the worker that holds the run  the status and reason of the ending
 * take_over      the sweep of lost workers      worker, lease, epoch + 1: the lost worker can write no more
 * give_up        the sweep of lost workers      claimed: no worker, no token, epoch + 1; status queued
 *                                               started: status interrupted; stopping: as its stop_reason says
 *
 * Every end writes ended_at, no worker, no lease and epoch + 1. What follows from an end (token, questions, task,
 * next follow-up) is in services/runs/apply-event.ts, in the same transaction. An event that a state has no entry
 * for is refused. The epoch is checked before an event of a worker: services/runs/held-run.ts.
 *
 * A run that is reported from elsewhere (kind external) has no entry in the queue: `reportedStatus` is its machine.
 */
export type RunState = 'queued' | 'claimed' | 'claimed_stopping' | 'started' | 'started_stopping' | 'ended';

export interface RunEnding {
  readonly status: Exclude<RunStatus, 'queued' | 'running'>;
  readonly reason: string | null;
  readonly summary?: string | null;
  /** JSON of `OutsideFiles`; null for none. Not given, what the attempt has stays. */
  readonly outside?: string | null;
}

interface Lease {
  readonly worker_id: string;
  readonly lease_until: number;
}

export type RunEvent =
  | (Lease & { readonly type: 'claim'; readonly host_id: string; readonly token_id: TokenId })
  | {
      readonly type: 'deny';
      /** The budget that is used up; not given: the right to run agents is gone. */
      readonly budget?: string;
    }
  | { readonly type: 'begin_process' }
  | { readonly type: 'note_process'; readonly process: Pick<QueuedRun, 'pid' | 'pid_started' | 'boot_id'> }
  | { readonly type: 'renew'; readonly lease_until: number }
  | {
      readonly type: 'stop';
      readonly why?: StopReason;
      /** The budget that is used up, for `budget_exceeded`. */
      readonly budget?: string;
    }
  | { readonly type: 'finish'; readonly ending: RunEnding; readonly checked?: CheckedRun | undefined }
  | (Lease & { readonly type: 'take_over' })
  | { readonly type: 'give_up'; readonly reason: string };

/** Why a run must stop: a person stopped it, its budget is used up, or its agent gets an urgent message. */
export type StopReason = NonNullable<QueuedRun['stop_reason']>;

type Row = Readonly<Partial<Record<RunEvent['type'], RunState>>>;

/** The state after each event that a state takes; an event that is not listed is refused. */
export const TRANSITIONS: Readonly<Record<RunState, Row>> = {
  queued: { claim: 'claimed', deny: 'ended', stop: 'ended' },
  claimed: {
    begin_process: 'started',
    note_process: 'claimed',
    renew: 'claimed',
    stop: 'claimed_stopping',
    finish: 'ended',
    take_over: 'claimed',
    give_up: 'queued',
  },
  claimed_stopping: {
    note_process: 'claimed_stopping',
    renew: 'claimed_stopping',
    stop: 'claimed_stopping',
    finish: 'ended',
    take_over: 'claimed_stopping',
    give_up: 'ended',
  },
  started: {
    begin_process: 'started',
    note_process: 'started',
    renew: 'started',
    stop: 'started_stopping',
    finish: 'ended',
    take_over: 'started',
    give_up: 'ended',
  },
  started_stopping: {
    note_process: 'started_stopping',
    renew: 'started_stopping',
    stop: 'started_stopping',
    finish: 'ended',
    take_over: 'started_stopping',
    give_up: 'ended',
  },
  ended: { stop: 'ended' },
};

export function stateOf({ run, spawned_at, stop_requested_at }: QueuedRun): RunState {
  if (isOver(run.status)) return 'ended';
  if (run.status === 'queued') return 'queued';
  const state = spawned_at === null ? 'claimed' : 'started';
  return stop_requested_at === null ? state : `${state}_stopping`;
}

const STOPPED: RunEnding = { status: 'killed', reason: 'stopped' };
const STEERED: RunEnding = { status: 'killed', reason: 'interrupted for new words' };
const overBudget = (words: string | null): RunEnding => ({ status: 'failed', reason: words ?? BUDGET_EXCEEDED });
const DENIED: RunEnding = {
  status: 'killed',
  reason: 'the person or agent who asked for it may no longer run agents here',
};

/** The run after an event; the very same run when nothing changes, and null when its state refuses the event. */
export function advance(entry: QueuedRun, event: RunEvent, now: number): QueuedRun | null {
  const to = TRANSITIONS[stateOf(entry)][event.type];
  if (to === undefined) return null;
  switch (event.type) {
    case 'claim': {
      const { worker_id, host_id, lease_until, token_id } = event;
      const run: Run = { ...entry.run, status: 'running', seen_at: now };
      return { ...entry, worker_id, host_id, lease_until, token_id, epoch: entry.epoch + 1, run };
    }
    case 'deny':
      return ended(entry, event.budget === undefined ? DENIED : overBudget(budgetReason(event.budget)), now);
    case 'begin_process':
      return { ...entry, spawned_at: entry.spawned_at ?? now };
    case 'note_process':
      return { ...entry, ...event.process };
    case 'renew':
      return { ...entry, lease_until: event.lease_until };
    case 'stop':
      if (isOver(entry.run.status)) return entry;
      if (to !== 'ended') return stopping(entry, event, now);
      return ended(entry, event.budget === undefined ? STOPPED : overBudget(budgetReason(event.budget)), now);
    case 'finish':
      // Whether its worker has seen in time that the budget is used up must not decide how the run ends.
      return ended(entry, entry.stop_reason === 'budget_exceeded' ? stoppedEnding(entry) : event.ending, now);
    case 'take_over': {
      const { worker_id, lease_until } = event;
      return { ...entry, worker_id, lease_until, epoch: entry.epoch + 1 };
    }
    case 'give_up':
      if (to === 'queued') return requeued(entry);
      return ended(entry, entry.stop_requested_at === null ? interrupted(event.reason) : stoppedEnding(entry), now);
  }
}

const budgetReason = (budget: string): string => `${BUDGET_EXCEEDED}: ${budget}`;

/** The run with a request to stop. The first reason stays, except that every other one outranks new words. */
function stopping(entry: QueuedRun, { why = 'stopped', budget }: RunEvent & { type: 'stop' }, now: number): QueuedRun {
  const { stop_requested_at, stop_reason, run } = entry;
  if (stop_requested_at !== null && (stop_reason !== 'steered' || why === 'steered')) return entry;
  const reason = budget === undefined ? run.reason : budgetReason(budget);
  return {
    ...entry,
    stop_requested_at: stop_requested_at ?? now,
    stop_reason: why,
    run: reason === run.reason ? run : { ...run, reason },
  };
}

function stoppedEnding({ stop_reason, run }: QueuedRun): RunEnding {
  if (stop_reason === 'budget_exceeded') return overBudget(run.reason);
  return stop_reason === 'steered' ? STEERED : STOPPED;
}

const interrupted = (reason: string): RunEnding => ({ status: 'interrupted', reason });

const requeued = (entry: QueuedRun): QueuedRun => ({
  ...entry,
  worker_id: null,
  lease_until: null,
  host_id: null,
  token_id: null,
  epoch: entry.epoch + 1,
  run: { ...entry.run, status: 'queued', liveness: 'live' },
});

const ended = (entry: QueuedRun, { status, reason, summary = null }: RunEnding, now: number): QueuedRun => ({
  ...entry,
  worker_id: null,
  lease_until: null,
  epoch: entry.epoch + 1,
  run: {
    ...entry.run,
    status,
    reason,
    summary: entry.run.summary ?? summary,
    liveness: 'live',
    seen_at: Math.max(now, entry.run.seen_at),
    ended_at: now,
  },
});

/** Why a worker ends a run before its agent does: it must stop, the worker shuts down, or another took the run over. */
export type EarlyEnd = StopReason | 'shutdown' | 'lost';

/** A lost run stays lost, and a stop that a caller asked for outranks the end of the worker. */
export function strongerEnd(current: EarlyEnd | null, next: EarlyEnd): EarlyEnd {
  if (current === 'lost') return current;
  return current !== null && next === 'shutdown' ? current : next;
}

const SHUT_DOWN = interrupted('the worker that ran it was stopped');

/** How a worker ends a run. Changes that are in no commit make a completed run a failed one, whatever its agent says. */
export function endingOf(
  ending: RunEnding,
  { early_end, is_committed }: { readonly early_end: EarlyEnd | null; readonly is_committed: boolean },
): RunEnding {
  if (early_end === 'stopped') return STOPPED;
  if (early_end === 'steered') return STEERED;
  // Which budget it was is in the store, with the request to stop.
  if (early_end === 'budget_exceeded') return { ...overBudget(null), summary: ending.summary ?? null };
  if (early_end === 'shutdown') return SHUT_DOWN;
  if (is_committed || ending.status !== 'completed') return ending;
  return { ...ending, status: 'failed', reason: 'its changes could not be committed' };
}

/** Why a report may not set a status: the run has ended, its worker sets it, or a run that runs cannot wait again. */
export type ReportRefusal = 'has_ended' | 'is_own' | 'goes_back';

/** The status of a run after a report that names `status`, or none: a report from elsewhere shows that the run runs. */
export function reportedStatus(
  run: Pick<Run, 'kind' | 'status'>,
  status?: RunStatus,
): { readonly status: RunStatus } | { readonly refused: ReportRefusal } {
  const { status: before } = run;
  const after = status ?? (isOurs(run) || isOver(before) ? before : 'running');
  if (after === before) return { status: before };
  if (isOver(before)) return { refused: 'has_ended' };
  if (isOurs(run)) return { refused: 'is_own' };
  return after === 'queued' ? { refused: 'goes_back' } : { status: after };
}
