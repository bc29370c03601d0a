import { expect, it } from 'vitest';
import { type AuditDraft, auditText, GENESIS_HASH } from '#domain/audit';
import type { AgentId } from '#domain/ids';
import type { AuditQuery } from '#store/store';
import { anEvent, anId, type OpenFixture, settle } from './fixture.ts';

/** The trail as administrators read it. */
export function describeAudit(open: OpenFixture): void {
  it('[8.4] keeps digests and the instruction of an entry, all within its hash', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, workspace_id } = await settle(store);
    const fields = { before_digest: 'a'.repeat(64), after_digest: 'b'.repeat(64), instruction_ref: 'ticket 7 ✓' };

    await store.transaction(async (tx) => tx.record(anEvent(user, fields)));

    const [event] = await store.reads.audit.list(workspace_id, { before: null, limit: 1 });
    expect(event).toMatchObject({ ...fields, seq: 1, prev_hash: GENESIS_HASH });
    if (event !== undefined) expect(auditText(event)).toContain('ticket 7 ✓');
  });

  it('[8.5] lists the entries of one workspace newest first, by every filter', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [{ user, workspace_id }, other] = [await settle(store), await settle(store)];
    const [agent_id, another] = [anId<AgentId>(), anId<AgentId>()];
    const drafts: readonly Partial<AuditDraft>[] = [
      { action: 'one', agent_id, entity_id: 'x' },
      { action: 'two', agent_id, entity_id: 'y', outcome: 'denied' },
      { action: 'three', agent_id: another, entity_id: 'x' },
      { action: 'four', user_id: other.user.id },
      { action: 'one', entity_id: 'y' },
    ];
    await store.transaction(async (tx) => {
      for (const draft of drafts) tx.record(anEvent(user, draft));
      tx.record(anEvent(other.user, { agent_id, action: 'one', entity_id: 'x', outcome: 'denied' }));
    });
    const list = async (query: Partial<AuditQuery>) =>
      (await store.reads.audit.list(workspace_id, { before: null, limit: 10, ...query })).map(({ seq }) => seq);

    expect(await list({})).toEqual([5, 4, 3, 2, 1]);
    expect(await list({ limit: 2 })).toEqual([5, 4]);
    expect(await list({ before: 4, limit: 2 })).toEqual([3, 2]);
    expect(await list({ agent_id })).toEqual([2, 1]);
    expect(await list({ user_id: user.id })).toEqual([5, 3, 2, 1]);
    expect(await list({ action: 'one' })).toEqual([5, 1]);
    expect(await list({ entity_id: 'x' })).toEqual([3, 1]);
    expect(await list({ outcome: 'denied' })).toEqual([2]);
    expect(await list({ outcome: 'ok', agent_id, entity_id: 'x', action: 'one', user_id: user.id })).toEqual([1]);
    expect(await list({ agent_id, before: 2 })).toEqual([1]);
    expect(await list({ after: 2 })).toEqual([5, 4, 3]);
    expect(await list({ agent_id, after: 1 })).toEqual([2]);
    expect(await list({ agent_id: anId<AgentId>() })).toEqual([]);
  });
}
