import { describe, expect, it } from 'vitest';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';

interface Row {
  readonly ref: string;
  readonly key: string;
}

const TABLE = `id,title,status,priority,labels,parent,blocked by,due
a,Paint the shop,In Progress,high,"Bug,shop",,b,2026-12-01
b,Buy paint,Closed,,,a,,
c,Open,Someday,,,,,
`;

async function aShop(world: World) {
  const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
  await world.ask('admin_add_label', { project_id, name: 'bug' });
  const order = (text: string, path = 'list.csv') => ({ project_id, files: [{ path, text }] });
  const count = async () => ((await world.ask('list_tasks', { project_id })).tasks as object[]).length;
  return { project_id: String(project_id), order, count };
}

describe('read_import', () => {
  it('answers what would be created, and creates nothing', async () => {
    await using world = await createWorld();
    const { order, count } = await aShop(world);

    const plan = await world.ask('read_import', order(TABLE));

    expect(plan).toMatchObject({
      formats: ['CSV'],
      faults: [],
      tasks: [
        { ref: 'a', title: 'Paint the shop', status: 'inprogress', column: 'In progress', labels: ['bug'], line: 2 },
        { ref: 'b', status: 'done', parent_ref: 'a' },
        { ref: 'c', status: 'todo' },
      ],
      left_out: [
        { file: 'list.csv', line: 4, text: 'The project has no column "Someday": its tasks go to Todo.' },
        { file: 'list.csv', line: 2, text: 'The project has no label "shop": it is left out.' },
      ],
    });
    expect(await count()).toBe(0);
  });

  it('names the same files the same, and others differently', async () => {
    await using world = await createWorld();
    const { order } = await aShop(world);
    const keyOf = async (text: string) => (await world.ask('read_import', order(text))).key;

    expect(await keyOf(TABLE)).toBe(await keyOf(TABLE));
    expect(await keyOf('- a')).not.toBe(await keyOf('- b'));
  });
});

describe('what import_tasks would refuse', () => {
  it.each([
    ['a list that is nested too deep', Array.from({ length: 52 }, (_, at) => `${' '.repeat(at)}- a`).join('\n'), 52],
    ['a title that nobody sees', '- Paint\n- \u200b', 2],
  ])('is a fault of the reading, with its line: %s', async (_, text, line) => {
    await using world = await createWorld();
    const { order, count } = await aShop(world);

    const plan = await world.ask('read_import', order(text, 'list.md'));
    await world.refuse('import_tasks', order(text, 'list.md'));

    expect(plan.faults).toMatchObject([{ file: 'list.md', line }]);
    expect(await count()).toBe(0);
  });

  it('is said in few words where a file has a thousand words that the project lacks', async () => {
    await using world = await createWorld();
    const { order } = await aShop(world);
    const labels = Array.from({ length: 1_000 }, (_, at) => `label ${at}`).join(';');

    const { left_out } = await world.ask('read_import', order(`title,labels\nPaint,${labels}`));

    expect(left_out).toHaveLength(51);
    expect((left_out as readonly { text: string }[]).at(-1)?.text).toBe('And more like these.');
  });
});

describe('import_tasks', () => {
  it('creates the tasks with columns, labels, parents and blockers, once for one key', async () => {
    await using world = await createWorld();
    const { order, count } = await aShop(world);
    const { key } = await world.ask('read_import', order(TABLE));

    const before = await world.ask('read_import', order(TABLE));

    const { tasks } = await world.ask('import_tasks', { ...order(TABLE), idempotency_key: key });
    const after = await world.ask('read_import', order(TABLE));
    const again = await world.ask('import_tasks', { ...order(TABLE), idempotency_key: key });

    const [shop, paint] = tasks as readonly Row[];
    expect(again).toEqual({ tasks });
    expect([before.imported_at, after.imported_at]).toEqual([null, expect.any(String)]);
    expect(await count()).toBe(3);
    expect(await world.ask('get_task', { task_id: shop?.key })).toMatchObject({
      status: 'inprogress',
      priority: 'high',
      blocked_by: [{ key: paint?.key }],
    });
    expect(await world.ask('get_task', { task_id: paint?.key })).toMatchObject({
      status: 'done',
      parent_key: shop?.key,
    });
    expect(await world.ask('tasker_get_issue', { issue_id: shop?.key })).toMatchObject({
      issue: { labels: [{ name: 'bug' }], target_date: '2026-12-01' },
    });
  });

  it('creates a thousand tasks at once', async () => {
    await using world = await createWorld();
    const { order, project_id } = await aShop(world);
    const text = Array.from({ length: 1_000 }, (_, at) => `${at % 2 === 1 ? '  ' : ''}- Task ${at}`).join('\n');

    const { tasks } = await world.ask('import_tasks', order(text, 'list.md'));

    expect(tasks).toHaveLength(1_000);
    const last = (tasks as readonly Row[]).at(-1);
    expect(await world.ask('get_task', { task_id: last?.key })).toMatchObject({ title: 'Task 999', project_id });
  });

  it('creates nothing when a part cannot be read, and names file and line', async () => {
    await using world = await createWorld();
    const { order, count } = await aShop(world);

    const error = await world.refuse('import_tasks', order('title,status\nPaint,todo\n,todo\n'));

    expect(error).toMatchObject({ code: 'validation_error' });
    expect(error.message).toContain('list.csv, line 3: This row has no title.');
    expect(await count()).toBe(0);
  });

  it('needs the right to write in this project, and to read it for the reading', async () => {
    await using world = await createWorld();
    const { order, count, project_id } = await aShop(world);
    const other = String((await world.ask('admin_add_project', { name: 'Other' })).project_id);
    const { agent } = createTracker(world);
    const reader = await agent({ projects: [project_id], scopes: ['board:read'] });
    const stranger = await agent({ projects: [other], scopes: ['board:read', 'board:write'] });
    const codes = async (caller: typeof reader) => {
      const read = await world.call('read_import', order('- Paint', 'list.md'), caller);
      const made = await world.call('import_tasks', order('- Paint', 'list.md'), caller);
      return [read, made].map((answer) => (answer.ok ? 'ok' : answer.error.code));
    };

    expect(await codes(reader)).toEqual(['ok', 'insufficient_scope']);
    expect(await codes(stranger)).toEqual(['project_not_granted', 'project_not_granted']);
    expect(await count()).toBe(0);
  });

  it('needs the rights for the columns that tasks go to', async () => {
    await using world = await createWorld();
    const { order, count, project_id } = await aShop(world);
    const { agent } = createTracker(world);
    const worker = await agent({ projects: [project_id], scopes: ['board:read', 'board:write'] });

    const error = await world.refuse('import_tasks', order('- [x] Paint', 'list.md'), worker);

    expect(error.code).toBe('move_not_granted');
    expect(await count()).toBe(0);
  });
});
