import { describe, expect, it } from 'vitest';
import { aPlaneAgent } from './testing/plane-fixture.ts';

describe('finishing a work session on a card of Plane', () => {
  it('[TSK-36] leaves no comment when its note cannot be written, and one after it could', async () => {
    await using at = await aPlaneAgent();
    const work_session_id = await at.session(await at.card());
    const finish = (summary: string) => ({ work_session_id, summary });

    for (const summary of ['One', 'Two']) {
      at.plane.plan('PATCH', /work-items/, { kind: 'refused' });
      expect((await at.refuse('tasker_finish_work_session', finish(summary))).code).toBe('tracker_unavailable');
    }
    expect(at.plane.world.comments).toEqual([]);
    await at.ask('tasker_finish_work_session', finish('Three'));

    expect(at.plane.world.comments).toMatchObject([{ comment_html: '<p>Three</p>' }]);
  });

  it('[TSK-36] leaves one comment, though its answer was lost and it is repeated in other words', async () => {
    await using at = await aPlaneAgent();
    const issue_id = await at.card();
    const work_session_id = await at.session(issue_id);
    at.plane.plan('POST', /comments/, { kind: 'lost' });

    await at.refuse('tasker_finish_work_session', { work_session_id, summary: 'Done' });
    await at.ask('tasker_finish_work_session', { work_session_id, summary: 'Well done' });

    expect(at.plane.world.comments).toMatchObject([{ comment_html: '<p>Done</p>' }]);
    expect(JSON.stringify(await at.blocks(issue_id)).split(work_session_id)).toHaveLength(2);
  });

  it('[TSK-36] ends it once although several calls finish it', async () => {
    await using at = await aPlaneAgent();
    const work_session_id = await at.session(await at.card());

    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((summary) => at.call('tasker_finish_work_session', { work_session_id, summary })),
    );

    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(answer.error.code).toBe('conflict');
    expect(at.plane.requests.filter((request) => /^POST .*comments/.test(request))).toHaveLength(1);
  });

  it('[TSK-36] leaves the note out where people have added more to the blocks than blocks can hold', async () => {
    await using at = await aPlaneAgent();
    const work_session_id = await at.session(await at.card());
    const [stored] = at.plane.world.items;
    if (stored) stored.description_html = `<p data-id="errand-text-a">${'x'.repeat(10_001)}</p>`;

    const answer = await at.ask('tasker_finish_work_session', { work_session_id, summary: 'Done' });

    expect(answer).toMatchObject({ work_session: { status: 'completed' }, truncated: ['note'] });
    expect(at.plane.world.comments).toHaveLength(1);
    expect(stored?.description_html).not.toContain('Done');
  });
});
