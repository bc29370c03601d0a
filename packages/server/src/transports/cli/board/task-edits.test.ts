import { describe, expect, it } from 'vitest';
import { aBoard } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';

async function aPlace() {
  const world = await createWorld();
  const board = await aBoard(world);
  return { world, board, ...createBoardTerminal(world) };
}

describe('errand task add', () => {
  it('names open tasks that are like it, beside its key', async () => {
    const { type } = await aPlace();

    const { out, remarks } = await type('task', 'add', 'Fix the login again');

    expect({ out, remarks }).toEqual({ out: 'SHO-2\n', remarks: 'Like it: SHO-1  Fix the login\n' });
  });
});

describe('errand task edit', () => {
  it('changes what is given, by key in any case', async () => {
    const { world, type } = await aPlace();
    await world.ask('create_task', { project_id: 'SHO', title: 'Dig' });

    const { code, out } = await type(
      ...['task', 'edit', 'sho-1', '--title', 'Mend the login', '--priority', 'high', '--blocked-by', 'SHO-2'],
    );

    expect({ code, out }).toEqual({ code: 0, out: 'SHO-1  Mend the login\n' });
    expect(await world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({
      title: 'Mend the login',
      priority: 'high',
      description: 'It fails.',
      blocked_by: [{ key: 'SHO-2' }],
    });
  });

  it('takes all blockers away with an empty list', async () => {
    const { world, type } = await aPlace();
    await world.ask('create_task', { project_id: 'SHO', title: 'Ship', blocked_by: ['SHO-1'] });

    await type('task', 'edit', 'SHO-2', '--blocked-by', '');

    expect(await world.ask('get_task', { task_id: 'SHO-2' })).toMatchObject({ blocked_by: [] });
  });

  it('is refused when nothing is to be changed', async () => {
    const { type } = await aPlace();

    await expect(type('task', 'edit', 'SHO-1')).rejects.toThrow('Say what to change');
  });
});

describe('errand task move, done and cancel', () => {
  it.each([
    [['move', 'SHO-1', 'inreview'], 'SHO-1 is in review.', 'inreview'],
    [['move', 'SHO-1', 'inprogress'], 'SHO-1 is in progress.', 'inprogress'],
    [['done', 'SHO-1'], 'SHO-1 is done.', 'done'],
    [['cancel', 'SHO-1'], 'SHO-1 is cancelled.', 'cancelled'],
  ])('%j: %s', async (words, said, status) => {
    const { world, type } = await aPlace();

    const { out } = await type('task', ...words);

    expect(out).toBe(`${said}\n`);
    expect(await world.ask('get_task', { task_id: 'SHO-1' })).toMatchObject({ status });
  });

  it('is refused for a column that the project does not have', async () => {
    const { type } = await aPlace();

    await expect(type('task', 'move', 'SHO-1', 'moon')).rejects.toMatchObject({ error: { code: 'validation_error' } });
  });
});

describe('errand task comment', () => {
  it('adds the text as it was typed', async () => {
    const { world, type } = await aPlace();

    const { out } = await type('task', 'comment', 'sho-1', 'a < b & c\nnext');

    const issue = await world.ask('tasker_get_issue', { issue_id: 'SHO-1', include: ['comments'] });
    expect(out).toBe('Commented on SHO-1.\n');
    expect(JSON.stringify(issue)).toContain('a &lt; b &amp; c<br />next');
    const { out: shown } = await type('task', 'show', 'SHO-1');
    expect(shown).toMatch(/\n\nowner, \d{4}-\d\d-\d\d \d\d:\d\d UTC\n {4}a < b & c\n {4}next\n\nNo attempts yet/);
  });

  it('is refused for an unknown task in the words of these commands', async () => {
    const { type } = await aPlace();

    await expect(type('task', 'comment', 'SHO-9', 'Hello')).rejects.toMatchObject({ status: 404 });
  });
});

describe('errand task assign', () => {
  it('sets the members by name, and takes the task from all of them', async () => {
    const { world, board, type } = await aPlace();
    const user_id = await world.addUser('Ana');
    await world.ask('admin_add_member', { project_id: board.project_id, user_id });

    const assigned = await type('task', 'assign', 'SHO-1', 'ana');
    const shown = await type('task', 'show', 'SHO-1');
    const nobody = await type('task', 'assign', 'SHO-1', '--nobody');

    expect(assigned.out).toBe('SHO-1 is assigned to Ana.\n');
    expect(shown.out).toContain('\nassigned to Ana\n');
    expect(nobody.out).toBe('SHO-1 is assigned to nobody.\n');
  });

  it.each([[[]], [['ana', '--nobody']]])('refuses %j', async (words) => {
    const { type } = await aPlace();

    await expect(type('task', 'assign', 'SHO-1', ...words)).rejects.toThrow('Name one member at least');
  });
});
