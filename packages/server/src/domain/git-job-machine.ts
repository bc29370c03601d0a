import type { GitJob, GitJobStatus } from './git-job.ts';

/*
 * The life of a git job.
 *
 *            take             commit
 *   queued ────────▶ running ────────▶ committing ⟲ wait, take_over
 *     │  ▲              │ │                │
 *     │  └── requeue ───┘ │ end            │ end
 *     │ end               ▼                ▼
 *     └──────────────▶ ended: done, conflicts, refused or failed
 *
 * event      caused by                             writes
 * take       a worker with room                    worker, machine, lease, epoch + 1; status running
 * renew      the worker that holds the job         lease
 * commit     the worker that holds the job         plan; phase committing: from here on the job only goes forward
 * wait       the worker that holds the job         result: why it cannot go on; no worker, lease: when it is tried again
 * requeue    the sweep of lost workers             no worker, epoch + 1; status queued
 * take_over  a worker, when the first one is lost  worker, machine, lease, epoch + 1; the plan stays
 * end        the worker that holds the job,        status, result, ended_at, no worker, epoch + 1
 *            or a caller of stop_attempt
 *
 * A job that is committing may have moved branches, so it is not queued again: another worker carries out its plan. The
 * epoch is checked before an event of a worker: services/ship/job-queue.ts.
 */
export type GitJobState = 'queued' | 'running' | 'committing' | 'ended';

interface Lease {
  readonly worker_id: string;
  readonly host_id: string;
  readonly lease_until: number;
}

export type GitJobEvent =
  | (Lease & { readonly type: 'take' })
  | { readonly type: 'renew'; readonly lease_until: number }
  | { readonly type: 'commit'; readonly plan: string }
  | { readonly type: 'wait'; readonly result: string; readonly lease_until: number }
  | { readonly type: 'requeue' }
  | (Lease & { readonly type: 'take_over' })
  | {
      readonly type: 'end';
      readonly status: Exclude<GitJobStatus, 'queued' | 'running'>;
      readonly result: string;
    };

type Row = Readonly<Partial<Record<GitJobEvent['type'], GitJobState>>>;

/** The state after each event that a state takes; an event that is not listed is refused. */
export const GIT_JOB_TRANSITIONS: Readonly<Record<GitJobState, Row>> = {
  queued: { take: 'running', end: 'ended' },
  running: { renew: 'running', commit: 'committing', requeue: 'queued', end: 'ended' },
  committing: { renew: 'committing', wait: 'committing', take_over: 'committing', end: 'ended' },
  ended: {},
};

export function gitJobState({ status, phase }: GitJob): GitJobState {
  if (status === 'queued') return 'queued';
  if (status !== 'running') return 'ended';
  return phase === 'none' ? 'running' : 'committing';
}

/** Whether a job whose branches may have moved cannot go on, and no worker tries just now. */
export const isWaiting = (job: GitJob): boolean =>
  gitJobState(job) === 'committing' && job.worker_id === null && job.result !== null;

/** The job after an event; null when its state refuses the event. */
export function advanceGitJob(job: GitJob, event: GitJobEvent, now: number): GitJob | null {
  if (GIT_JOB_TRANSITIONS[gitJobState(job)][event.type] === undefined) return null;
  const next = { ...job, epoch: job.epoch + 1 };
  switch (event.type) {
    case 'take':
    case 'take_over': {
      const { worker_id, host_id, lease_until } = event;
      return { ...next, status: 'running', worker_id, host_id, lease_until };
    }
    case 'renew':
      return { ...job, lease_until: event.lease_until };
    case 'commit':
      return { ...job, phase: 'committing', plan: event.plan };
    case 'wait':
      return { ...next, result: event.result, worker_id: null, lease_until: event.lease_until };
    case 'requeue':
      return { ...next, status: 'queued', worker_id: null, lease_until: null };
    case 'end': {
      const { status, result } = event;
      return { ...next, status, result, worker_id: null, lease_until: null, ended_at: now };
    }
  }
}
