import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addMember, addUser } from '../../../../../test/plane/world.ts';
import { aPlaneAgent } from './testing/plane-fixture.ts';

const Answer = z.object({
  issue: z.object({ id: z.string() }).optional(),
  work_session: z.object({ id: z.string() }).optional(),
  issues: z.array(z.unknown()).optional(),
});

describe('the tasker tools in front of a Plane', () => {
  it('work on its cards from creating to completing', async () => {
    await using at = await aPlaneAgent();
    const { ask, project_id } = at;

    const created = await ask('tasker_create_issue', {
      project_id,
      name: 'Fix the login',
      description_html: '<p>It fails</p><script>alert(1)</script>',
      label_ids: [at.label.id],
      assignee_ids: [at.ada.id],
    });
    const issue_id = Answer.parse(created).issue?.id;
    await ask('tasker_update_structured_blocks', {
      issue_id,
      action: 'append_checker',
      title: 'Steps',
      items: ['Test'],
    });
    await ask('tasker_append_comment', { issue_id, comment_html: '<p>Begun</p>' });
    await ask('tasker_move_issue', { issue_id, state_id: at.stateOf('completed').id });
    const started = await ask('tasker_start_work_session', { issue_id });
    await ask('tasker_finish_work_session', {
      work_session_id: Answer.parse(started).work_session?.id,
      summary: 'All done',
    });

    const read = await ask('tasker_get_issue', { issue_id });
    const found = await ask('tasker_search_issues', { query: 'login' });
    expect(JSON.stringify(read)).toContain('Steps');
    expect(Answer.parse(found).issues).toHaveLength(1);
    expect(at.plane.world.items).toMatchObject([{ name: 'Fix the login', state: at.stateOf('completed').id }]);
    expect(at.plane.world.items[0]?.description_html).not.toContain('script');
    expect(at.plane.world.comments.map(({ comment_html }) => comment_html)).toEqual([
      '<p>Begun</p>',
      '<p>All done</p>',
    ]);
  });

  it('[TSK-15] return the assignees that Plane has accepted for a new card', async () => {
    await using at = await aPlaneAgent();
    const guest = addUser(at.plane.world, 'Guest');
    addMember(at.plane.world, at.project.id, guest.id, 5);
    const fields = { project_id: at.project_id, name: 'Card', assignee_ids: [guest.id, at.ada.id] };

    const created = await at.ask('tasker_create_issue', fields);

    expect(created.assignees).toEqual([{ id: at.ada.id, name: 'Ada' }]);
  });

  it('[TSK-30] do not add members: Plane manages them', async () => {
    await using at = await aPlaneAgent();

    const error = await at.world.refuse('tasker_add_existing_project_member', {
      project_id: at.project_id,
      user_id: at.world.owner.user_id,
      idempotency_key: 'k',
    });

    expect(error.code).toBe('membership_managed_externally');
  });

  it('[TSK-42] make one card when Plane’s answer is lost and the call is repeated with its key', async () => {
    await using at = await aPlaneAgent();
    at.plane.plan('POST', /work-items/, { kind: 'lost' });
    const input = { project_id: at.project_id, name: 'Once', idempotency_key: 'k' };

    const first = await at.world.refuse('tasker_create_issue', input);
    await at.world.ask('tasker_create_issue', input);

    expect(first).toMatchObject({ code: 'tracker_unavailable', retryable: true });
    expect(at.plane.world.items).toHaveLength(1);
  });
});
