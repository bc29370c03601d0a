import { say } from '#advice';
import { type AgentMessage, MAX_QUEUED_MESSAGES } from '#domain/agent-message';
import { isActive } from '#domain/attempt';
import type { AttemptId, RunId } from '#domain/ids';
import { plainText } from '#domain/plain-text';
import { ErrandError } from '#errors';
import type { Ports } from '#services/ports';
import { startWithMessages } from '#services/runs/start-with-messages';
import type { WriteWork } from '#services/work';
import { attemptOf } from './lookup.ts';
import { queueMessage } from './messages.ts';
import { mustGoOn, newestSession } from './place-follow-up.ts';

interface Sent {
  readonly message: AgentMessage;
  /** The run that begins with it; null when one goes on, or when the sender may start none. */
  readonly execution_id: RunId | null;
}

/** A message of a person or an agent to the agent of an attempt. */
export const createSendMessage =
  ({ ids }: Ports) =>
  async (
    work: WriteWork,
    {
      attempt_id,
      text,
      interrupt,
    }: { readonly attempt_id: AttemptId; readonly text: string; readonly interrupt: boolean },
  ): Promise<Sent> => {
    const { tx, caller } = work;
    const words = plainText('text', text);
    const attempt = await attemptOf(work, attempt_id);
    mustGoOn(attempt);
    await newestSession(tx, attempt);
    const unread = await tx.agentMessages.unread(attempt);
    if (unread.length >= MAX_QUEUED_MESSAGES) {
      throw new ErrandError('conflict', `${unread.length} messages wait for the agent of this attempt already.`, {
        hint: say`Wait until it has read some: ${{ call: 'get_attempt' }} shows them.`,
      });
    }
    const { user_id, agent_id } = caller;
    // A message needs the right to write; to start an agent with it needs the right to run agents, now or when it has waited.
    const may_run = work.rightsIn(attempt.project_id).scopes.has('board:run');
    const draft = { source: 'person', text: words, interrupt, may_run, user_id, agent_id } as const;
    const message = await queueMessage(tx, ids, attempt, draft);
    const run = isActive(attempt.run_status) ? null : await startWithMessages(tx, ids, attempt, [message]);
    work.changed(null, message);
    return { message, execution_id: run?.id ?? null };
  };
