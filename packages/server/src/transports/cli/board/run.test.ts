import { describe, expect, it, vi } from 'vitest';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld, type World } from '#testing/world';

async function aPlace(executors = [anExecutor()]) {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world, executors);
  return { world, board, worker, ...createBoardTerminal(world) };
}

const titles = async (world: World, project_id: unknown): Promise<readonly string[]> =>
  ((await world.ask('list_tasks', { project_id })).tasks as readonly { title: string }[]).map(({ title }) => title);

describe('errand run', () => {
  it('starts the only ready agent in all repositories, and says how to watch it', async () => {
    const { world, board, worker, type } = await aPlace([
      anExecutor(),
      anExecutor({ executor: 'broken', is_ready: false, problem: 'not logged in' }),
    ]);
    await world.ask('admin_add_repo', { project_id: board.project_id, path: '/repos/api' });

    const { code, out } = await type('run', board.task_id as string, '--prompt', 'Be quick.');

    const { entry, repos } = await worker.take();
    expect(code).toBe(0);
    expect(entry).toMatchObject({ executor: 'scripted', prompt: expect.stringContaining('Be quick.') });
    expect(repos.map(({ repo_name }) => repo_name)).toEqual(['shop', 'api']);
    expect(out).toBe('task     SHO-1\nattempt  SHO-1.1\nWatch scripted at work: errand watch SHO-1.1\n');
  });

  it('creates the task from a title first', async () => {
    const { world, worker, json } = await aPlace();

    const { task_id } = await json('run', '--title', 'Paint it', '--description', 'Green.', '--variant', 'fast');

    expect((await worker.take()).entry).toMatchObject({ variant: 'fast' });
    expect(await world.ask('get_task', { task_id })).toMatchObject({ title: 'Paint it', description: 'Green.' });
  });

  it('prints nothing but the refusal for a task that is done', async () => {
    const { board, type, soFar } = await aPlace();
    await type('task', 'done', board.task_id as string);

    await expect(type('run', board.task_id as string)).rejects.toMatchObject({ error: { code: 'conflict' } });

    expect(soFar()).toBe('');
  });

  it('works in the named repositories, from the named branches', async () => {
    const { world, board, worker, type } = await aPlace();
    const { project_id, task_id } = board;
    const { repo_id } = await world.ask('admin_add_repo', { project_id, path: '/repos/api' });
    await world.ask('admin_add_repo', { project_id, path: '/repos/docs' });

    await type('run', task_id as string, '--repo', 'shop:release/1,2', '--repo', repo_id as string);

    const { repos } = await worker.take();
    expect(repos.map(({ repo_name, target_branch }) => [repo_name, target_branch])).toEqual([
      ['shop', 'release/1,2'],
      ['api', 'main'],
    ]);
  });

  it('lists the repositories when an unknown one is named', async () => {
    const { board, type } = await aPlace();

    const refused = type('run', board.task_id as string, '--repo', 'moon:main');

    await expect(refused).rejects.toMatchObject({
      message: '--repo "moon:main" is no repository of this project.',
      hint: 'Give one of these: shop.',
    });
  });

  it('requires the name of one of several agents', async () => {
    const { board, type } = await aPlace([
      anExecutor(),
      anExecutor({ executor: 'codex', title: 'Codex', variants: [] }),
    ]);

    const refused = type('run', board.task_id as string);

    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      hint: 'scripted  Scripted agent (variants: fast), ready\ncodex     Codex, ready',
    });
  });

  it('says what keeps agents from running', async () => {
    const { board, type } = await aPlace([anExecutor({ is_ready: false, problem: 'It is not logged in.' })]);

    const refused = type('run', board.task_id as string);

    await expect(refused).rejects.toMatchObject({
      code: 'executor_unavailable',
      hint: expect.stringMatching(
        /, not ready\n +It is not logged in\.\n.*Agents are checked every 30 seconds.*\n.*"executors" in config\.json/,
      ),
    });
  });

  it.each([
    ['nothing runs agents', async () => {}, 'Nothing runs attempts here: start errand serve or errand worker.'],
    ['no agent is known', (world: World) => aWorker(world, []), /^No .*agent/],
  ])('creates no task while %s', async (_, arrange, message) => {
    const world = await createWorld();
    const { project_id } = await aBoard(world);
    await arrange(world);

    const refused = createBoardTerminal(world).type('run', '--title', 'Paint it');

    await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(message), hint: undefined });

    expect(await titles(world, project_id)).toEqual(['Fix the login']);
  });

  it.each([
    ['an agent that there is not', ['--executor', 'codex'], 'There is no agent "codex".'],
    ['an agent that is not ready', ['--executor', 'broken'], 'broken is not ready: Log in first.'],
    ['a variant that there is not', ['--executor', 'scripted', '--variant', 'slow'], 'scripted has no variant "slow".'],
  ])('creates no task for %s', async (_, words, message) => {
    const { world, board, type } = await aPlace([
      anExecutor(),
      anExecutor({ executor: 'broken', is_ready: false, problem: 'Log in first' }),
    ]);

    await expect(type('run', '--title', 'Paint it', ...words)).rejects.toThrow(message);

    expect(await titles(world, board.project_id)).toEqual(['Fix the login']);
  });

  it('creates no task in a project without a repository', async () => {
    const { world, type } = await aPlace();
    const { project_id } = await world.ask('admin_add_project', { name: 'Garden' });

    const refused = type('run', '--title', 'Dig', '--project', 'Garden');

    await expect(refused).rejects.toMatchObject({
      message: 'The project Garden (GAR) has no repository to work in.',
      hint: 'Add one: errand repo add PATH --project GAR',
    });
    expect(await titles(world, project_id)).toEqual([]);
  });

  it('tells a person who has no project of their own yet to add one', async () => {
    await using world = await createWorld();

    const refused = createBoardTerminal(world).type('run', '--title', 'Dig');

    await expect(refused).rejects.toMatchObject({
      message: expect.stringMatching(/^The project Inbox \(\w+\) has no repository to work in\.$/),
      hint: 'Add a project: errand project add NAME. Then its repository: errand repo add PATH --project NAME',
    });
  });

  it.each([
    ['neither a task nor a title', []],
    ['both', ['t1', '--title', 'Paint it']],
    ['a project for a task that is there', ['t1', '--project', 'Shop']],
  ])('refuses %s', async (_, words) => {
    const { type } = await aPlace();

    await expect(type('run', ...words)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('watches to the end with --wait', async () => {
    const { board, worker, type } = await aPlace();

    const running = type('run', board.task_id as string, '--wait');
    const run = await vi.waitFor(() => worker.take());
    await worker.log.write(run, [{ type: 'feed', kind: 'message', text: 'On it.' }]);
    await worker.finish(run, { status: 'completed', reason: null }, []);

    const { code, out } = await running;
    expect(code).toBe(0);
    expect(out).toMatch(/^attempt {2}SHO-1\.1$.*^message {3}On it\.$.*^completed$/ms);
  });
});

describe('errand executors', () => {
  it('lists the ready agents, and then what keeps others from running', async () => {
    const { type } = await aPlace([
      anExecutor({ executor: 'codex', title: 'Codex', variants: [], is_ready: false, problem: 'Log in: codex login' }),
      anExecutor({ version: '1.2.3' }),
    ]);

    const { out } = await type('executors');

    expect(out).toBe(
      'scripted  Scripted agent 1.2.3 (variants: fast), ready\ncodex     Codex, not ready\n          Log in: codex login\n',
    );
  });

  it('says what to start where no worker runs', async () => {
    const { out } = await createBoardTerminal(await createWorld()).type('executors');

    expect(out).toBe('Nothing runs attempts here: start errand serve or errand worker.\n');
  });
});

describe('a repository in which an agent works', () => {
  it('cannot be removed until the run has ended, and its attempts stay', async () => {
    const { world, board, worker, json } = await aPlace();
    const { attempt_id } = await json('run', board.task_id as string);
    const taken = await worker.take();

    const busy = await world.refuse('admin_remove_repo', { repo_id: 'shop' });
    await worker.finish(taken, { status: 'completed', reason: null }, []);
    await world.ask('admin_remove_repo', { repo_id: 'shop' });

    expect(busy).toMatchObject({ code: 'run_in_progress', message: expect.stringContaining(attempt_id as string) });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ repos: [{ repo_name: 'shop' }] });
    expect(await world.refuse('admin_remove_project', { project_id: 'Shop', yes: true })).toMatchObject({
      message: 'Agents have worked in Shop, and the history of their runs is kept.',
    });
  });
});
