import type { AgentMessage } from '#domain/agent-message';
import { type Attempt, FOLLOW_UP_NAME } from '#domain/attempt';
import type { Run } from '#domain/run';
import type { Ports } from '#services/ports';
import type { Transaction } from '#store/store';
import { enqueueRun } from './enqueue.ts';
import { mayRun } from './may-run.ts';

/** Starts a run with what waits for the agent, for the first sender who could and still may run agents here. Null when there is none. */
export async function startWithMessages(
  tx: Transaction,
  ids: Ports['ids'],
  attempt: Attempt,
  waiting: readonly AgentMessage[],
): Promise<Run | null> {
  if (attempt.merged_at !== null || attempt.archived_at !== null) return null;
  const [session] = await tx.attempts.sessions(attempt);
  if (session === undefined) return null;
  for (const { may_run, user_id, agent_id } of waiting) {
    if (!may_run || !(await mayRun(tx, attempt, { user_id, agent_id }))) continue;
    const { variant } = session;
    return enqueueRun(tx, ids, { attempt, session, prompt: '', variant, name: FOLLOW_UP_NAME, user_id, agent_id });
  }
  return null;
}
