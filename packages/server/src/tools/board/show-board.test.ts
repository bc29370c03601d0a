import { describe, expect, it } from 'vitest';
import type { RepoId } from '#domain/ids';
import { aSteeredRun } from '#testing/steered';
import { createWorld, type World } from '#testing/world';

interface Card {
  readonly key: string;
  readonly title: string;
}

interface Column {
  readonly status: string;
  readonly count: number;
  readonly cards: readonly Card[];
  readonly next_cursor?: string;
}

async function columnsOf(world: World, input: Readonly<Record<string, unknown>> = {}): Promise<readonly Column[]> {
  const { columns } = await world.ask('show_board', { project_id: 'SHO', ...input });
  // As the tool declares it.
  return columns as readonly Column[];
}

const columnOf = (columns: readonly Column[], status: string): Column | undefined =>
  columns.find((column) => column.status === status);

describe('show_board', () => {
  it('shows every column with its count, and what the card of a running task is about', async () => {
    await using world = await createWorld();
    const { project_id, caller, task_id, run } = await aSteeredRun(world);
    await world.ask('create_task', { project_id, title: 'Later', blocked_by: [task_id], priority: 'high' });
    await world.ask('create_step', { execution_id: run.execution_id, step_name: 'Read the code' }, caller);
    await world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, caller);

    const columns = await columnsOf(world);

    expect(columns.map(({ status, count }) => [status, count])).toEqual([
      ['todo', 1],
      ['inprogress', 1],
      ['inreview', 0],
      ['done', 0],
      ['cancelled', 0],
    ]);
    expect(columnOf(columns, 'todo')?.cards).toMatchObject([
      { title: 'Later', priority: 'high', is_ready: false, blocked_by: ['SHO-1'], attempt: null, run: null },
    ]);
    expect(columnOf(columns, 'inprogress')?.cards).toMatchObject([
      {
        key: 'SHO-1',
        attempt: { key: 'SHO-1.1', state: 'needs_you', added: 0, removed: 0 },
        run: {
          status: 'running',
          liveness: 'live',
          steps: { done: 0, total: 1, statuses: ['running'], current: 'Read the code' },
        },
        question: { kind: 'question', text: 'Which port?', options: [] },
      },
    ]);
  });

  it('names no branch of an attempt that changed nothing, because it was removed', async () => {
    await using world = await createWorld();
    const { worker, run, repo_id, task_id } = await aSteeredRun(world);
    const commit = 'a'.repeat(40);
    const result = {
      attempt_id: run.attempt.id,
      // Made by `aBoard`.
      repo_id: repo_id as RepoId,
      target_branch: 'main',
      base_commit: commit,
      head_commit: commit,
      commits: 0,
      files: '[]',
      patch: '',
      is_patch_cut: false,
      is_set_up: false,
    };
    const seen = async () => (await columnsOf(world)).flatMap(({ cards }) => cards);
    expect(await seen()).toMatchObject([{ attempt: { branch: expect.any(String) } }]);

    await worker.finish(run, { status: 'completed', reason: null, summary: 'Read.' }, [result]);

    expect(await world.ask('list_inbox', {})).toMatchObject({ rows: [{ kind: 'review', task_key: 'SHO-1' }] });
    expect(await seen()).toMatchObject([{ attempt: { branch: null } }]);
    await world.ask('update_task', { task_id, status: 'done' });
    expect(await world.ask('list_inbox', {})).toMatchObject({ rows: [] });
  });

  it('shows only the sub-tasks of a task, and none of another project', async () => {
    await using world = await createWorld();
    const { project_id, task_id } = await aSteeredRun(world);
    const tasks = [
      { ref: 'all', title: 'All' },
      { ref: 'one', title: 'One', parent_ref: 'all' },
      { ref: 'two', title: 'Two', parent_ref: 'all' },
    ];
    await world.ask('create_tasks', { project_id, tasks });
    await world.ask('update_task', { task_id: 'SHO-3', status: 'done' });
    await world.ask('admin_add_project', { name: 'Other' });

    const titles = (columns: readonly Column[]) => columns.flatMap(({ cards }) => cards.map(({ title }) => title));

    expect(titles(await columnsOf(world, { parent_id: 'SHO-2' }))).toEqual(['Two', 'One']);
    expect(titles(await columnsOf(world, { parent_id: task_id }))).toEqual([]);
    expect(titles(await columnsOf(world, { project_id: 'OTH', parent_id: 'SHO-2' }))).toEqual([]);
  });

  it('goes on with a column page by page, in the order in which people left it', async () => {
    await using world = await createWorld();
    const { project_id } = await aSteeredRun(world);
    const titles = ['First', 'Second', 'Third'];
    for (const title of titles) {
      world.time.now += 1;
      await world.ask('create_task', { project_id, title });
    }

    const first = columnOf(await columnsOf(world, { limit: 2 }), 'todo');
    const rest = await columnsOf(world, { status: 'todo', limit: 2, cursor: first?.next_cursor });

    expect(first?.cards.map(({ title }) => title)).toEqual(['First', 'Second']);
    expect(rest.map(({ status, count, cards }) => [status, count, cards.map(({ title }) => title)])).toEqual([
      ['todo', 3, ['Third']],
    ]);
  });

  it('puts a card that needs a person before the others, even from a later page', async () => {
    await using world = await createWorld();
    const { project_id } = await aSteeredRun(world);
    for (const title of ['First', 'Second']) {
      world.time.now += 1;
      await world.ask('create_task', { project_id, title });
    }
    await world.ask('ask_person', { question: 'Now?', task_id: 'SHO-3', wait_ms: 0 });

    const columns = await columnsOf(world, { limit: 1 });

    expect(columnOf(columns, 'todo')?.cards.map(({ key }) => key)).toEqual(['SHO-3', 'SHO-2']);
  });

  it('shows only the tasks that are named, each in its column', async () => {
    await using world = await createWorld();
    const { project_id } = await aSteeredRun(world);
    await world.ask('create_task', { project_id, title: 'Second' });

    const columns = await columnsOf(world, { task_ids: ['SHO-1'] });

    expect(columns.flatMap(({ cards }) => cards.map(({ key }) => key))).toEqual(['SHO-1']);
    expect(columnOf(columns, 'todo')?.count).toBe(1);
  });

  it('shows with the named tasks, when asked, their parents and what waits for them', async () => {
    await using world = await createWorld();
    const { project_id } = await aSteeredRun(world);
    const tasks = [
      { ref: 'all', title: 'All' },
      { ref: 'one', title: 'One', parent_ref: 'all' },
      { ref: 'two', title: 'Two', blocked_by: ['one'] },
      { ref: 'three', title: 'Three' },
    ];
    await world.ask('create_tasks', { project_id, tasks });
    await world.ask('update_task', { task_id: 'SHO-3', status: 'done' });

    const titles = (columns: readonly Column[]) => columns.flatMap(({ cards }) => cards.map(({ title }) => title));

    expect(titles(await columnsOf(world, { task_ids: ['SHO-3'] }))).toEqual(['One']);
    expect(titles(await columnsOf(world, { task_ids: ['SHO-3'], related: true }))).toEqual(['All', 'Two', 'One']);
  });

  it('shows the agent of an attempt its own task and attempt, and counts no others', async () => {
    await using world = await createWorld();
    const { project_id, caller, start, worker } = await aSteeredRun(world);
    await world.ask('create_task', { project_id, title: 'Of others' });
    await start();
    await worker.beginSpawn(await worker.take());

    const { columns } = await world.ask('show_board', { project_id: 'SHO' }, caller);

    // As the tool declares it.
    const shown = (columns as readonly Column[]).filter(({ count }) => count > 0);
    expect(shown).toMatchObject([
      { status: 'inprogress', count: 1, cards: [{ key: 'SHO-1', attempt: { key: 'SHO-1.1' } }] },
    ]);
  });

  it('shows nothing of a project out of reach', async () => {
    await using world = await createWorld();
    await aSteeredRun(world);
    const { project_id } = await world.ask('admin_add_project', { name: 'Elsewhere' });
    const agent = { name: 'stranger', project_ids: [project_id], scopes: ['board:read'] };
    const { token } = await world.ask('admin_create_agent', agent);
    // As the tool declares it.
    const stranger = await world.gateway.authenticate(token as string);

    expect(await world.refuse('show_board', { project_id: 'SHO' }, stranger)).toMatchObject({
      code: 'project_not_granted',
    });
  });
});
