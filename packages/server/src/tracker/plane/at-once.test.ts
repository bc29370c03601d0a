import { describe, expect, it } from 'vitest';
import { addLabel } from '../../../../../test/plane/world.ts';
import { aPlaneAgent } from './testing/plane-fixture.ts';

const TEN = Array.from({ length: 10 }, (_, index) => `Number ${index}`);

describe('changes of one card at once', () => {
  it('[TSK-33] keep every block that was appended', async () => {
    await using at = await aPlaneAgent();
    const issue_id = await at.card();

    await Promise.all(
      TEN.map((text) => at.ask('tasker_update_structured_blocks', { issue_id, action: 'append_text_block', text })),
    );

    const texts = (await at.blocks(issue_id)).map((block) => (block.type === 'text' ? block.text : ''));
    expect(texts.toSorted()).toEqual(TEN);
  });

  it('[TSK-33] keep every check that was ticked, and the name and the report besides', async () => {
    await using at = await aPlaneAgent();
    const issue_id = await at.card();
    await at.ask('tasker_update_structured_blocks', { issue_id, action: 'append_checker', items: TEN });
    const [checker] = await at.blocks(issue_id);
    const items = checker?.type === 'checker' ? checker.items : [];
    const work_session_id = await at.session(issue_id);

    await Promise.all([
      ...items.map(({ id }) =>
        at.ask('tasker_update_structured_blocks', {
          issue_id,
          action: 'update_checker_item',
          item_id: id,
          checked: true,
        }),
      ),
      at.ask('tasker_update_issue', { issue_id, description_html: '<p>Why</p>' }),
      at.ask('tasker_finish_work_session', { work_session_id, summary: 'All done' }),
    ]);

    const [after, note] = await at.blocks(issue_id);
    expect(after?.type === 'checker' && after.items.every(({ checked }) => checked)).toBe(true);
    expect(JSON.stringify(note)).toContain('All done');
    expect(at.plane.world.items[0]?.description_html).toContain('<p>Why</p>');
  });

  it('[TSK-26] keep every label that was added', async () => {
    await using at = await aPlaneAgent();
    const labels = TEN.map((name) => addLabel(at.plane.world, at.project.id, name).id);
    const issue_id = await at.card();

    await Promise.all(
      labels.map((id) => at.ask('tasker_set_issue_labels', { issue_id, label_ids: [id], mode: 'merge' })),
    );

    expect(at.plane.world.items[0]?.labels.toSorted()).toEqual(labels.toSorted());
  });

  it('do not make two cards parents of each other', async () => {
    await using at = await aPlaneAgent();
    const [one, two] = [await at.card(), await at.card()];

    const answers = await Promise.all([
      at.call('tasker_update_issue', { issue_id: one, parent_id: two }),
      at.call('tasker_update_issue', { issue_id: two, parent_id: one }),
    ]);

    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(at.plane.world.items.filter(({ parent }) => parent !== null)).toHaveLength(1);
  });

  it('continue after a failed one', async () => {
    await using at = await aPlaneAgent();
    const issue_id = await at.card();
    at.plane.plan('PATCH', /work-items/, { kind: 'refused' });

    const answers = await Promise.all(TEN.map((name) => at.call('tasker_update_issue', { issue_id, name })));

    expect(answers.filter(({ ok }) => !ok)).toMatchObject([{ error: { code: 'tracker_unavailable' } }]);
  });
});

describe('a change that is overwritten at the same moment', () => {
  it.each([
    ['tasker_update_issue', { name: 'Other' }],
    ['tasker_update_issue', { description_html: '<p>Why</p>' }],
    ['tasker_update_issue', { priority: 'high' }],
    ['tasker_update_issue', { target_date: '2026-12-24' }],
    ['tasker_update_structured_blocks', { action: 'append_text_block', text: 'Note' }],
  ] as const)('is version_conflict from %s with %j', async (tool, change) => {
    await using at = await aPlaneAgent();
    const issue_id = await at.card();
    // Answered with success, but missing when the card is read.
    at.plane.plan('PATCH', /work-items/, { kind: 'answers', status: 200, body: JSON.stringify({ id: issue_id }) });

    const error = await at.refuse(tool, { issue_id, ...change });

    expect(error).toMatchObject({ code: 'version_conflict', message: expect.stringContaining('is not there') });
  });

  it('is version_conflict for a state, a parent and a label too', async () => {
    await using at = await aPlaneAgent();
    const [issue_id, parent_id] = [await at.card(), await at.card()];
    const refused = (tool: string, change: object) => {
      at.plane.plan('PATCH', /work-items/, { kind: 'answers', status: 200, body: JSON.stringify({ id: issue_id }) });
      return at.refuse(tool, { issue_id, ...change });
    };

    const errors = [
      await refused('tasker_move_issue', { state_id: at.stateOf('started').id }),
      await refused('tasker_update_issue', { parent_id }),
      await refused('tasker_set_issue_labels', { label_ids: [at.label.id], mode: 'set' }),
    ];

    expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'version_conflict'));
  });
});

describe('a change whose answer was lost', () => {
  it('appends one block when another was written before it is repeated', async () => {
    await using at = await aPlaneAgent();
    const issue_id = await at.card();
    const append = (text: string) => ({ issue_id, action: 'append_text_block', text, idempotency_key: text });
    at.plane.plan('PATCH', /work-items/, { kind: 'lost' });

    const lost = await at.refuse('tasker_update_structured_blocks', append('A'));
    await at.ask('tasker_update_structured_blocks', append('B'));
    const again = await at.ask('tasker_update_structured_blocks', append('A'));

    const blocks = await at.blocks(issue_id);
    expect(lost.code).toBe('tracker_unavailable');
    expect(blocks).toMatchObject([{ text: 'A' }, { text: 'B' }]);
    expect(again.blocks).toEqual([blocks[0]]);
  });
});
