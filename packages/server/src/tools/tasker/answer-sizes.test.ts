import { describe, expect, it } from 'vitest';
import { createTrackerWorld } from '#testing/tracker';

const HARD = '"Quoted" <b>bold</b> \\ and 🦜\n';
const hard = (length: number) => HARD.repeat(Math.ceil(length / HARD.length)).slice(0, length);
const html = (length: number) => '<ul><li><em>"a" &amp; b</em></li></ul>'.repeat(Math.ceil(length / 38));

describe('answers of the tracker', () => {
  it('[TSK-14] stay within 4,000 characters by default, however large the issue, and are whole on request', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const label_ids: string[] = [];
    const assignee_ids: string[] = [];
    for (let i = 0; i < 40; i++) label_ids.push(await at.label(project_id, `label "${i}" ${'x'.repeat(30)}`));
    for (let i = 0; i < 15; i++) assignee_ids.push(await at.member(project_id, `Member ${i} ${'x'.repeat(50)}`));
    const items = Array.from({ length: 60 }, (_, i) => ({ id: `item-${i}`, text: hard(300) }));
    const description_html = html(30_000);
    const issue_id = await at.issue(robot, {
      project_id,
      name: '"'.repeat(255),
      description_html,
      detail_layout: {
        nodedc_structured_blocks: {
          version: 1,
          blocks: [
            { type: 'text', text: hard(9_000) },
            { type: 'checker', items },
          ],
        },
      },
      label_ids,
      assignee_ids,
      parent_id: await at.issue(robot, { project_id, name: 'Parent' }),
      start_date: '2026-01-01',
      target_date: '2026-01-02',
    });
    for (let i = 0; i < 5; i++) {
      await at.ask(robot, 'tasker_append_comment', { issue_id, comment_html: html(2_000) });
    }

    const short = await at.ask(robot, 'tasker_get_issue', { issue_id });
    const whole = await at.ask(robot, 'tasker_get_issue', { issue_id, include: ['description', 'blocks', 'comments'] });
    const writes = [
      await at.ask(robot, 'tasker_set_issue_labels', { issue_id, label_ids: label_ids.slice(1) }),
      await at.ask(robot, 'tasker_assign_issue', { issue_id, assignee_ids: assignee_ids.slice(1) }),
      await at.ask(robot, 'tasker_update_structured_blocks', {
        issue_id,
        action: 'append_checker',
        items: items.slice(0, 30).map(({ text }) => text),
      }),
      await at.ask(robot, 'tasker_update_structured_blocks', {
        issue_id,
        action: 'append_text_block',
        text: hard(5_000),
      }),
    ];

    expect(JSON.stringify(short).length).toBeLessThanOrEqual(4_000);
    expect(short.truncated).toEqual(['labels', 'assignees', 'description', 'blocks', 'comments']);
    expect(whole.truncated).toEqual(['labels', 'assignees']);
    expect(whole.issue).toMatchObject({ description_html, comments: { count: 5 } });
    expect((whole.issue as { comments: { latest: unknown[] } }).comments.latest).toHaveLength(5);
    for (const answer of writes) expect(JSON.stringify(answer).length).toBeLessThanOrEqual(4_000);
  });

  it('[TSK-14] give small parts whole, and shorten the long ones', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, {
      project_id: at.project_id,
      name: 'x',
      description_html: '<p>Short</p>',
    });
    await at.ask(at.robot, 'tasker_append_comment', { issue_id, comment_html: 'y'.repeat(2_500) });

    const answer = await at.ask(at.robot, 'tasker_get_issue', { issue_id });

    expect(answer).not.toHaveProperty('truncated');
    expect(answer.issue).toMatchObject({
      description_html: '<p>Short</p>',
      comments: { latest: [{ comment_html: 'y'.repeat(2_500) }] },
    });
  });
});
