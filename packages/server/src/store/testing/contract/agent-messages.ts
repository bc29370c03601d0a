import { expect, it } from 'vitest';
import type { AgentMessage } from '#domain/agent-message';
import type { Attempt } from '#domain/attempt';
import type { AgentMessageId, ApprovalId, RunId } from '#domain/ids';
import type { User } from '#domain/user';
import { settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

const aMessage = (attempt: Attempt, user: User, fields: Partial<AgentMessage> = {}): Omit<AgentMessage, 'seq'> => ({
  id: anId<AgentMessageId>(),
  workspace_id: attempt.workspace_id,
  project_id: attempt.project_id,
  attempt_id: attempt.id,
  source: 'person',
  text: 'Water the roses too.',
  approval_id: null,
  interrupt: false,
  may_run: false,
  status: 'queued',
  execution_id: null,
  user_id: user.id,
  agent_id: null,
  created_at: 1,
  delivered_at: null,
  read_at: null,
  ...fields,
});

/** Messages to the agents of attempts. */
export function describeAgentMessages(open: OpenFixture): void {
  it('[11.5] keeps every field of a message, and writes only changed fields, of this message only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, attempt } = await settleBoard(store);
    const made = await attempt();
    const agent = anAgent(user);
    const filled: Partial<AgentMessage> = {
      source: 'answer',
      approval_id: anId<ApprovalId>(),
      interrupt: true,
      may_run: true,
      agent_id: agent.id,
    };
    const changed = { status: 'delivered', execution_id: anId<RunId>(), delivered_at: 5, read_at: 6 } as const;

    const [full, bare] = await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      const one = await tx.agentMessages.insert(aMessage(made, user, filled));
      const two = await tx.agentMessages.insert(aMessage(made, user));
      await tx.agentMessages.update({ ...two, ...changed, text: 'stays', interrupt: true });
      return [one, two];
    });

    expect(full).toMatchObject({ ...filled, seq: 1 });
    expect(await store.reads.agentMessages.unread(made)).toEqual([full, { ...bare, ...changed }]);
  });

  it('[11.6] numbers the messages of each attempt from 1, also when several write at once and some fail', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, attempt } = await settleBoard(store);
    const [one, two] = [await attempt(), await attempt()];
    const insert = (of: Attempt, fails: boolean) =>
      store.transaction(async (tx) => {
        const { seq } = await tx.agentMessages.insert(aMessage(of, user));
        if (fails) throw new Error('refused');
        return seq;
      });

    const writes = Array.from({ length: 12 }, (_, i) => insert(i % 2 === 0 ? one : two, i % 6 === 4));
    await Promise.allSettled(writes);

    for (const of of [one, two]) {
      const messages = await store.reads.agentMessages.unread(of);
      expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, i) => i + 1));
      expect(messages).toHaveLength(of === one ? 4 : 6);
    }
  });

  it('[11.6] finds messages that were not read, in their order, of the attempt in its workspace', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, attempt, foreign } = await settleBoard(store);
    const [made, other] = [await attempt(), await attempt()];
    const statuses = ['read', 'queued', 'cancelled', 'delivered', 'queued'] as const;
    await store.transaction(async (tx) => {
      for (const status of statuses) await tx.agentMessages.insert(aMessage(made, user, { status }));
    });
    const { unread } = store.reads.agentMessages;

    expect((await unread(made)).map(({ seq, status }) => [seq, status])).toEqual([
      [2, 'queued'],
      [4, 'delivered'],
      [5, 'queued'],
    ]);
    expect(await unread(other)).toEqual([]);
    expect(await unread({ ...made, workspace_id: foreign.workspace_id })).toEqual([]);
  });

  it('[11.6] finds messages that were made at given times, in their order, of the attempt in its workspace', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, attempt, foreign } = await settleBoard(store);
    const [made, other] = [await attempt(), await attempt()];
    await store.transaction(async (tx) => {
      for (const created_at of [5, 3, 4, 5])
        await tx.agentMessages.insert(aMessage(made, user, { created_at, status: 'read' }));
    });
    const { madeAt } = store.reads.agentMessages;

    expect((await madeAt(made, [5, 3, 9])).map(({ seq }) => seq)).toEqual([1, 2, 4]);
    expect(await madeAt(made, [])).toEqual([]);
    expect(await madeAt(other, [5])).toEqual([]);
    expect(await madeAt({ ...made, workspace_id: foreign.workspace_id }, [5])).toEqual([]);
  });
}
