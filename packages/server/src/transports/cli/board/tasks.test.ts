import { describe, expect, it } from 'vitest';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';
import { createPaint } from './run-board.ts';

async function aPlace() {
  const world = await createWorld();
  const board = await aBoard(world);
  return { world, board, ...createBoardTerminal(world) };
}

describe('errand task add', () => {
  it('prints only the key of the task, and adds it where agents can work', async () => {
    const { world, board, type } = await aPlace();

    const { code, out } = await type('task', 'add', 'Paint it', '--description', 'Green.');

    const task = await world.ask('get_task', { task_id: out.trimEnd() });
    expect(code).toBe(0);
    expect(task).toMatchObject({ title: 'Paint it', description: 'Green.', project_id: board.project_id });
  });

  it('takes the tasks that must be completed before', async () => {
    const { world, board, json } = await aPlace();

    const { task_id } = await json('task', 'add', 'Ship it', '--blocked-by', board.task_id as string);

    expect(await world.ask('get_task', { task_id })).toMatchObject({
      is_ready: false,
      blocked_by: [{ task_id: board.task_id }],
    });
  });
});

describe('the project of a command', () => {
  it('is found by its name, in any spelling', async () => {
    const { world, json } = await aPlace();
    const { project_id } = await world.ask('admin_add_project', { name: 'Garden' });

    const { task_id } = await json('task', 'add', 'Dig', '--project', 'garden');

    expect(await world.ask('get_task', { task_id })).toMatchObject({ project_id });
  });

  it('is a team project where none has a repository', async () => {
    const world = await createWorld();
    const { project_id } = await world.ask('admin_add_project', { name: 'Garden' });

    const { task_id } = await createBoardTerminal(world).json('task', 'add', 'Dig');

    expect(await world.ask('get_task', { task_id })).toMatchObject({ project_id });
  });

  it('is the Inbox where there is no other project', async () => {
    const world = await createWorld();

    const { task_id } = await createBoardTerminal(world).json('task', 'add', 'Dig');

    expect(await world.ask('get_task', { task_id })).toMatchObject({ project_id: world.installation.inbox_id });
  });

  it('must be named where several have repositories', async () => {
    const { world, type } = await aPlace();
    const { project_id } = await world.ask('admin_add_project', { name: 'Garden' });
    await world.ask('admin_add_repo', { project_id, path: '/repos/garden' });

    const refused = type('task', 'list');

    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      hint: 'Give --project with one of these: Shop (SHO), Garden (GAR).',
    });
  });

  it('is found by its key, and by one that it had before', async () => {
    const { world, board, json } = await aPlace();
    await world.ask('admin_update_project', { project_id: board.project_id, key: 'STORE' });

    const [now, before] = [
      await json('task', 'list', '--project', 'store'),
      await json('task', 'list', '--project', 'SHO'),
    ];

    expect(now).toMatchObject({ project: { key: 'STORE', project_id: board.project_id }, tasks: [{ key: 'STORE-1' }] });
    expect(before).toEqual(now);
  });

  it('must be named by its key where several have the name', async () => {
    const { world, type } = await aPlace();
    await world.ask('admin_add_project', { name: 'shop' });

    await expect(type('task', 'list', '--project', 'SHOP')).rejects.toThrow('"SHOP" can mean 2 projects.');
    expect((await type('task', 'list', '--project', 'shop')).out).toContain('No tasks in shop.');
  });

  it('that is unknown is refused with the known ones', async () => {
    const { type } = await aPlace();

    const refused = type('task', 'list', '--project', 'Moon');

    await expect(refused).rejects.toMatchObject({
      code: 'not_found',
      hint: 'Give --project with one of these: Inbox (OWN), Shop (SHO).',
    });
  });
});

describe('errand task list', () => {
  it('notes that the last attempt at a task has failed', async () => {
    const { world, board, type } = await aPlace();
    const worker = await aWorker(world, [anExecutor()]);
    await board.start();
    await worker.finish(await worker.take(), { status: 'failed', reason: 'exit 1' }, []);

    const { out } = await type('task', 'list');

    expect(out).toMatch(/inprogress +failed .*Fix the login/);
  });

  it('shows each task in one line with its remark', async () => {
    const { world, board, type } = await aPlace();
    await aWorker(world);
    await world.ask('create_task', { project_id: board.project_id, title: 'Paint it' });
    await board.start();

    const { out } = await type('task', 'list');

    expect(out.split('\n')).toEqual([
      'Project Shop (SHO)',
      '',
      expect.stringMatching(/^task +status +note +title$/),
      'SHO-2  todo        ready   Paint it',
      'SHO-1  inprogress  queued  Fix the login',
      '',
    ]);
  });

  it('names the holder of a claimed task', async () => {
    const { type } = await aPlace();
    await type('task', 'next');

    expect((await type('task', 'list')).out).toMatch(/ inprogress +claimed by owner +Fix the login$/m);
  });

  it('marks blocked tasks', async () => {
    const { board, type } = await aPlace();
    await type('task', 'add', 'Ship it', '--blocked-by', board.task_id as string);

    expect((await type('task', 'list')).out).toMatch(/ todo +blocked +Ship it$/m);
  });

  it.each([
    [['--ready'], 'No task of Shop is ready. All of them, with what keeps them: errand task list --project SHO\n'],
    [['--status', 'todo'], 'No task of Shop is in todo. All of them: errand task list --project SHO\n'],
  ])('says that no task matches: %j', async (words, said) => {
    const { board, type } = await aPlace();
    await type('task', 'done', board.task_id as string);

    expect((await type('task', 'list', ...words)).out).toBe(said);
  });

  it('filters by column, and by ready tasks', async () => {
    const { world, board, json } = await aPlace();
    const { project_id, task_id } = board;
    const { task_id: waiting } = await world.ask('create_task', { project_id, title: 'Ship', blocked_by: [task_id] });
    await world.ask('create_task', { project_id, title: 'Old', status: 'done' });

    const todo = await json('task', 'list', '--status', 'todo');
    const ready = await json('task', 'list', '--ready');

    expect(todo).toMatchObject({ tasks: [{ task_id: waiting }, { task_id }] });
    expect(ready).toMatchObject({ tasks: [{ task_id }] });
  });

  it('cuts titles to the width of the terminal', async () => {
    const { world, board } = await aPlace();
    await world.ask('create_task', { project_id: board.project_id, title: `Paint ${'it '.repeat(40)}` });

    const { out } = await createBoardTerminal(world, { is_terminal: true, width: 80 }).type('task', 'list');

    expect(Math.max(...out.split('\n').map((line) => line.length))).toBe(80);
    expect(out).toMatch(/ready +Paint it it .*…$/m);
  });

  it('colours what needs a look, on a terminal that shows colours', async () => {
    const { world } = await aPlace();
    const paint = createPaint(true);

    const { out } = await createBoardTerminal(world, { is_terminal: true, width: 80, paint }).type('task', 'list');

    expect(out).toContain('\u001b[32mready\u001b[0m');
  });

  it('goes through all pages', async () => {
    const { world, board, json } = await aPlace();
    for (let i = 0; i < 250; i++) {
      await world.ask('create_task', { project_id: board.project_id, title: `Task ${i}` });
    }

    const { tasks } = await json('task', 'list');

    expect(tasks).toHaveLength(251);
  });

  it('says how to begin where there is no task', async () => {
    const { out } = await createBoardTerminal(await createWorld()).type('task', 'list');

    expect(out).toBe('No tasks in Inbox. Add one: errand task add "What is to be done"\n');
  });
});

describe('errand task show', () => {
  it.each([
    ['killed', 'stopped'],
    ['interrupted', 'failed'],
    ['completed', 'review'],
  ] as const)('calls an attempt that was %s %s', async (status, word) => {
    const { world, board, type } = await aPlace();
    const worker = await aWorker(world, [anExecutor()]);
    await board.start();
    await worker.finish(await worker.take(), { status, reason: null }, []);

    const { out } = await type('task', 'show', board.task_id as string);

    expect(out).toMatch(new RegExp(`^SHO-1\\.1 +${word} +- +scripted`, 'm'));
  });

  it('shows the task, its blockers and its attempts', async () => {
    const { world, board, type } = await aPlace();
    const worker = await aWorker(world, [anExecutor()]);
    await board.start();
    const run = await worker.take();
    const changed = run.repos.map((repo) => ({ ...repo, base_commit: 'a1b2c3', head_commit: 'd4e5f6' }));
    await worker.finish(run, { status: 'failed', reason: 'exit 1' }, changed);
    const before = await world.ask('create_task', { project_id: board.project_id, title: 'Dig' });
    await world.ask('update_task', { task_id: board.task_id, blocked_by: [before.task_id] });

    const { out } = await type('task', 'show', board.task_id as string);

    expect(out).toContain('SHO-1  Fix the login\ninprogress, priority none\nlast attempt failed: exit 1\n');
    expect(out).toContain('waits for  SHO-2  Dig (todo)');
    expect(out).toContain('\nIt fails.\n');
    expect(out).toMatch(/^SHO-1\.1 {2}failed {2}- {7}scripted {2}errand\/fix-the-login-\S+\n {9}exit 1$/m);
  });

  it('names no branch that was removed because nothing was changed on it', async () => {
    const { world, board, type } = await aPlace();
    const worker = await aWorker(world, [anExecutor()]);
    await board.start();
    const run = await worker.take();
    const unchanged = run.repos.map((repo) => ({ ...repo, base_commit: 'a1b2c3', head_commit: 'a1b2c3' }));
    await worker.finish(run, { status: 'completed', reason: null }, unchanged);

    const { out } = await type('task', 'show', board.task_id as string);

    expect(out).toMatch(/^SHO-1\.1 +review +- +scripted +-$/m);
  });

  it('says how to start an agent on it', async () => {
    const { board, type } = await aPlace();

    const { out } = await type('task', 'show', board.task_id as string);

    expect(out).toContain('No attempts yet. Have an agent work on it: errand run SHO-1\n');
  });

  it('refuses an unknown id in the words of these commands', async () => {
    const { type } = await aPlace();

    await expect(type('task', 'show', 'x')).rejects.toMatchObject({
      status: 404,
      error: { code: 'not_found', hint: 'Run errand task list for keys.' },
    });
  });
});

describe('errand task next and done', () => {
  it('claims a task, and shows its description', async () => {
    const { world, board, type } = await aPlace();

    const { code, out } = await type('task', 'next');

    const { task_id } = board;
    expect(code).toBe(0);
    expect(out).toContain('SHO-1  Fix the login\nProject Shop (SHO)\n\nIt fails.\n');
    expect(out).toContain('It is yours until 2026-01-01T00:30:00.000Z. When you are done: errand task done SHO-1');
    expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'inprogress' });
  });

  it('ends with 1 when no task is ready, so that a loop ends', async () => {
    const { type } = await aPlace();
    await type('task', 'next');

    const { code, out } = await type('task', 'next', '--project', 'Shop');

    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('No task of Shop is ready.') });
    expect(out).toContain('\nowner has claimed "Fix the login" until 2026-01-01T00:30:00.000Z.\n');
    expect((await type('task', 'list', '--ready')).out).toBe(out);
  });

  it('claims the first task that task list --ready shows, of the same project', async () => {
    const { world, board, json, type } = await aPlace();
    const { inbox_id } = world.installation;
    await world.ask('create_task', { project_id: inbox_id, title: 'Private', priority: 'urgent' });
    await world.ask('create_task', { project_id: board.project_id, title: 'Urgent', priority: 'urgent' });

    for (const words of [[], ['--project', 'Inbox']]) {
      for (;;) {
        const { project, tasks } = await json('task', 'list', '--ready', ...words);
        const next = await json('task', 'next', ...words);
        const [first = null] = tasks as { task_id: string }[];
        expect([next.project, (next.task as typeof first)?.task_id]).toEqual([project, first?.task_id]);
        if (first === null) break;
        expect(next.task).toMatchObject({ project_name: (project as { name: string }).name });
      }
    }
    expect((await type('task', 'next')).out).toContain('No task of Shop is ready');
  });

  it('marks a task as done', async () => {
    const { world, board, type } = await aPlace();

    const { out } = await type('task', 'done', board.task_id as string);

    expect(out).toBe('SHO-1 is done.\n');
    expect(await world.ask('get_task', { task_id: board.task_id })).toMatchObject({ status: 'done' });
  });
});
