import { describe, expect, it } from 'vitest';
import { createTrackerWorld } from '#testing/tracker';

type At = Awaited<ReturnType<typeof createTrackerWorld>>;

const textBlocks = (count: number, text: string) => Array.from({ length: count }, () => ({ type: 'text', text }));

async function aSession(at: At, blocks: readonly object[]) {
  const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
  if (blocks.length > 0) {
    await at.ask(at.robot, 'tasker_update_structured_blocks', { issue_id, action: 'replace_blocks', blocks });
  }
  const { work_session } = await at.ask(at.robot, 'tasker_start_work_session', { issue_id });
  return { issue_id, work_session_id: (work_session as { readonly id: string }).id };
}

describe('a card without room', () => {
  it.each([
    ['100 blocks', textBlocks(100, 'x')],
    ['almost 64,000 characters', textBlocks(9, 'x'.repeat(7_000))],
  ])('[TSK-36] with %s gets the comment, and its session ends without the note', async (_, blocks) => {
    await using at = await createTrackerWorld();
    const { issue_id, work_session_id } = await aSession(at, blocks);
    const summary = 'Welded '.repeat(200);

    const finished = await at.ask(at.robot, 'tasker_finish_work_session', { work_session_id, summary });

    const { detail_layout, comments } = await at.read(at.robot, issue_id);
    expect(finished).toMatchObject({ work_session: { status: 'completed' }, truncated: ['note'] });
    expect(JSON.stringify(detail_layout)).not.toContain('Welded');
    expect(comments).toMatchObject({ count: 1 });
  });

  it('[TSK-36] gets as much of a note as a block holds', async () => {
    await using at = await createTrackerWorld();
    const { issue_id, work_session_id } = await aSession(at, []);
    const validation = Array.from({ length: 1_900 }, () => 'x').join('\n');

    const finished = await at.ask(at.robot, 'tasker_finish_work_session', {
      work_session_id,
      summary: 'y'.repeat(3_900),
      validation,
    });

    const { issue } = await at.ask(at.robot, 'tasker_get_issue', { issue_id, include: ['blocks'] });
    expect(finished).toMatchObject({ work_session: { status: 'completed' }, truncated: ['note'] });
    expect(JSON.stringify(issue)).toMatch(/work session .*yyy.*…/);
  });

  it('[TSK-36] is not mentioned when the whole note fits', async () => {
    await using at = await createTrackerWorld();
    const { work_session_id } = await aSession(at, textBlocks(99, 'x'));

    const finished = await at.ask(at.robot, 'tasker_finish_work_session', { work_session_id, summary: 'Done' });

    expect(finished).not.toHaveProperty('truncated');
  });

  it('says what is too many, and how many are allowed', async () => {
    await using at = await createTrackerWorld();
    const { issue_id } = await aSession(at, textBlocks(100, 'x'));

    const error = await at.refuse(at.robot, 'tasker_update_structured_blocks', {
      issue_id,
      action: 'append_text_block',
      text: 'One more',
    });

    expect(error).toMatchObject({
      code: 'validation_error',
      message: 'blocks: holds 101 blocks, and at most 100 are allowed.',
    });
  });
});
