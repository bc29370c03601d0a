import { describe, expect, it } from 'vitest';
import { createTrackerWorld } from '#testing/tracker';

interface Blocks {
  readonly blocks: readonly { readonly id: string; readonly items?: readonly { readonly id: string }[] }[];
}

describe('tasker_update_structured_blocks', () => {
  it('[TSK-33, TSK-34] patches blocks by five actions, with ids that stay', async () => {
    await using at = await createTrackerWorld();
    const { robot } = at;
    const issue_id = await at.issue(robot, { project_id: at.project_id, name: 'x' });
    const patch = async (fields: object) =>
      (await at.ask(robot, 'tasker_update_structured_blocks', { issue_id, ...fields })) as unknown as Blocks;

    const text = await patch({ action: 'append_text_block', title: 'Plan', text: 'Weld' });
    const checker = await patch({ action: 'append_checker', items: ['Cut', { text: 'Weld', checked: true }] });
    const [cut, weld] = checker.blocks[0]?.items ?? [];
    await patch({ action: 'update_checker_item', item_id: cut?.id, checked: true });
    await patch({ action: 'append_implementation_note', text: 'Cut with a saw' });
    const patched = await at.read(robot, issue_id);
    const replaced = await patch({
      action: 'replace_blocks',
      blocks: [{ id: checker.blocks[0]?.id, type: 'checker', items: [{ id: weld?.id, text: 'Weld twice' }] }],
    });

    expect(patched.detail_layout).toMatchObject({
      nodedc_structured_blocks: {
        version: 1,
        blocks: [
          { id: text.blocks[0]?.id, type: 'text', title: 'Plan', text: 'Weld' },
          {
            id: checker.blocks[0]?.id,
            type: 'checker',
            items: [
              { id: cut?.id, text: 'Cut', checked: true },
              { id: weld?.id, text: 'Weld', checked: true },
            ],
          },
          { type: 'text', title: 'Implementation notes', text: '2026-01-01: Cut with a saw' },
        ],
      },
    });
    expect(patched.version).toBe(5);
    expect(replaced.blocks).toEqual([
      { id: checker.blocks[0]?.id, type: 'checker', items: [{ id: weld?.id, text: 'Weld twice', checked: false }] },
    ]);
    expect(await at.read(robot, issue_id)).toMatchObject({
      detail_layout: { nodedc_structured_blocks: { blocks: replaced.blocks } },
    });
  });

  it('[TSK-33] refuses fields that the action does not take, and missing ones', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
    const wrong = [
      { action: 'append_text_block' },
      { action: 'append_text_block', text: '\u200b' },
      { action: 'append_text_block', text: 'x', items: ['y'] },
      { action: 'append_checker', items: [] },
      { action: 'append_checker', items: ['x'.repeat(501)] },
      { action: 'update_checker_item', item_id: 'x' },
      { action: 'update_checker_item', item_id: 'x', checked: true },
      { action: 'replace_blocks' },
      { action: 'replace_blocks', text: 'x' },
      { action: 'replace_blocks', blocks: [{ type: 'text', text: 'x' }, { type: 'picture' }] },
      { action: 'delete_block', item_id: 'x' },
    ];

    const codes = [];
    for (const fields of wrong) {
      codes.push((await at.refuse(at.robot, 'tasker_update_structured_blocks', { issue_id, ...fields })).code);
    }

    expect(codes).toEqual(wrong.map(() => 'validation_error'));
    expect(await at.read(at.robot, issue_id)).toMatchObject({ detail_layout: null, version: 1 });
  });

  it('lists the ids of the items when one is unknown', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
    const items = [{ id: 'cut', text: 'Cut' }];
    await at.ask(at.robot, 'tasker_update_structured_blocks', { issue_id, action: 'append_checker', items });

    const error = await at.refuse(at.robot, 'tasker_update_structured_blocks', {
      issue_id,
      action: 'update_checker_item',
      item_id: 'saw',
      checked: true,
    });

    expect(error).toMatchObject({ code: 'validation_error', details: { item_ids: ['cut'] } });
    expect(error.message).toContain('cut');
  });
});
