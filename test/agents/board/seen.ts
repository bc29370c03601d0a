import { setTimeout as pause } from 'node:timers/promises';
import type { Fields, Host } from './host.ts';

const LOOK_EVERY_MS = 200;

export interface Approval {
  readonly approval_id: string;
  readonly question: string;
  readonly options: readonly { readonly option: string; readonly kind: string }[];
}

interface SeenAttempt {
  readonly workspace_branch: string;
  readonly task: { readonly status: string };
  readonly run: { readonly execution_id: string; readonly ended_at: string | null };
  readonly approvals: readonly Approval[];
}

/** A run that has ended. */
export interface SeenRun {
  readonly status: string;
  readonly summary: string | null;
  readonly usage: Fields | null;
  /** The agent's own session id. */
  readonly session_id: string | null;
  readonly client: string | null;
  readonly task_status: string;
  readonly branch: string;
  readonly steps: readonly Fields[];
  readonly feed: readonly { readonly kind: string; readonly text: string }[];
}

type Looks = Pick<Host, 'call' | 'read'>;

/** Waits until the agent of the attempt asks something or has ended. */
async function askedOrEnded({ call }: Looks, attempt_id: string): Promise<SeenAttempt> {
  for (;;) {
    // The cast: the answer of get_attempt has all these fields.
    const attempt = (await call('get_attempt', { attempt_id })) as unknown as SeenAttempt;
    if (attempt.approvals.length > 0 || attempt.run.ended_at !== null) return attempt;
    await pause(LOOK_EVERY_MS);
  }
}

async function readRun({ read }: Looks, { run, task, workspace_branch }: SeenAttempt): Promise<SeenRun> {
  const path = `/api/v1/executions/${run.execution_id}`;
  const { entries } = await read(`${path}/feed?limit=200`);
  const parts = { ...(await read(path)), ...(await read(`${path}/steps`)), feed: entries };
  return { ...(parts as unknown as SeenRun), task_status: task.status, branch: workspace_branch };
}

/** Returns the agent's first question; null when it ends without one. */
export async function firstQuestion(host: Looks, attempt_id: string): Promise<Approval | null> {
  const { approvals } = await askedOrEnded(host, attempt_id);
  return approvals[0] ?? null;
}

/** Waits for the end of the latest run, and approves all questions of its agent until then. */
export async function approveToTheEnd(host: Looks, attempt_id: string): Promise<SeenRun> {
  for (;;) {
    const attempt = await askedOrEnded(host, attempt_id);
    if (attempt.run.ended_at !== null) return readRun(host, attempt);
    for (const { approval_id } of attempt.approvals) {
      await host.call('respond_approval', { approval_id, decision: 'approve' });
    }
  }
}
