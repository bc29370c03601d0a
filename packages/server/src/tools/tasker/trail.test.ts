import { describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import type { ProjectId } from '#domain/ids';
import { createTrackerWorld } from '#testing/tracker';
import { catalog } from '#tools/catalog';

describe('writes of the tracker', () => {
  it('leave one entry each in the audit trail, with a digest of what they changed', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id, states, world } = at;
    const label = await at.label(project_id, 'red');
    const ada = await at.member(project_id, 'Ada');
    const user_id = await world.addUser('Bob');
    const issue_id = await at.issue(robot, { project_id, name: 'x' });
    const { work_session } = await at.ask(robot, 'tasker_start_work_session', { issue_id });
    const work_session_id = (work_session as { id: string }).id;
    const calls: Record<string, object> = {
      tasker_update_issue: { issue_id, name: 'y' },
      tasker_move_issue: { issue_id, state_id: states.inreview },
      tasker_set_issue_labels: { issue_id, label_ids: [label] },
      tasker_assign_issue: { issue_id, assignee_ids: [ada] },
      tasker_add_existing_project_member: { project_id, user_id, instruction_ref: 'chat 42' },
      tasker_append_comment: { issue_id, comment_html: 'x' },
      tasker_update_structured_blocks: { issue_id, action: 'append_text_block', text: 'x' },
      tasker_finish_work_session: { work_session_id, summary: 'x' },
    };
    const made = ['tasker_create_issue', 'tasker_start_work_session'];

    for (const [tool, input] of Object.entries(calls)) await at.ask(robot, tool, input);
    const entries = await world.store.reads.audit.list(world.owner.workspace_id, {
      before: null,
      limit: 100,
      agent_id: robot.agent_id ?? undefined,
    });

    const writes = catalog.filter(({ profile, effect }) => profile === 'tasker' && effect !== 'read');
    expect(entries.map(({ action }) => action).toReversed()).toEqual([...made, ...Object.keys(calls)]);
    expect(entries.map(({ action }) => action).toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
    const fresh = new Set([...made, 'tasker_add_existing_project_member', 'tasker_append_comment']);
    for (const entry of entries) {
      expect(entry, entry.action).toMatchObject({
        outcome: 'ok',
        agent_id: robot.agent_id,
        token_id: robot.token_id,
        idempotency_key: expect.any(String),
        entity_id: expect.any(String),
        before_digest: fresh.has(entry.action) ? null : expect.any(String),
        after_digest: expect.any(String),
      });
      expect(entry.before_digest).not.toBe(entry.after_digest);
    }
  });

  it('are replayed only for as long as their project is granted', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const issue_id = await at.issue(robot, { project_id, name: 'x' });
    const started = await at.ask(robot, 'tasker_start_work_session', { issue_id });
    const work_session_id = (started.work_session as { id: string }).id;
    const calls: [string, object][] = [
      ['tasker_update_issue', { issue_id, name: 'y' }],
      ['tasker_move_issue', { issue_id, sort_order: 1 }],
      ['tasker_set_issue_labels', { issue_id, label_ids: [] }],
      ['tasker_assign_issue', { issue_id, assignee_ids: [] }],
      ['tasker_append_comment', { issue_id, comment_html: 'x' }],
      ['tasker_update_structured_blocks', { issue_id, action: 'append_text_block', text: 'x' }],
      ['tasker_start_work_session', { issue_id }],
      ['tasker_start_work_session', {}],
      ['tasker_finish_work_session', { work_session_id, summary: 'x' }],
    ];
    const keyed = calls.map(([tool, input], index) => [tool, { ...input, idempotency_key: `again ${index}` }] as const);
    for (const [tool, input] of keyed) await at.ask(robot, tool, input);
    const elsewhere = { scopes: robot.scopes, can_complete: true, can_cancel: true };
    const narrowed: Caller = { ...robot, reach: new Map([['another' as ProjectId, elsewhere]]) };

    const codes = [];
    for (const [tool, input] of keyed) codes.push((await at.refuse(narrowed, tool, input)).code);

    expect(codes).toEqual(codes.map(() => 'project_not_granted'));
  });
});
