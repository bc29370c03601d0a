import { describe, expect, it } from 'vitest';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';

interface Created {
  readonly ref: string;
  readonly task_id: string;
  readonly key: string;
  readonly similar?: readonly { readonly key: string; readonly title: string }[];
}

async function aPlan(world: World) {
  const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
  const plan = async (tasks: readonly object[], fields: object = {}): Promise<readonly Created[]> =>
    (await world.ask('create_tasks', { project_id, tasks, ...fields })).tasks as readonly Created[];
  const refuse = (tasks: readonly object[]) => world.refuse('create_tasks', { project_id, tasks });
  const titles = async (): Promise<readonly string[]> =>
    ((await world.ask('list_tasks', { project_id })).tasks as { title: string }[]).map(({ title }) => title);
  return { project_id: String(project_id), plan, refuse, titles };
}

describe('create_tasks', () => {
  it('[L-PLAN] creates tasks that name each other, in any order, and tasks that stand already', async () => {
    await using world = await createWorld();
    const { project_id, plan } = await aPlan(world);
    const { key: old } = await world.ask('create_task', { project_id, title: 'Old' });

    const created = await plan([
      { ref: 'ui', title: 'Page', parent_ref: 'all', blocked_by: ['api', String(old)], priority: 'high' },
      { ref: 'all', title: 'Refunds', description: 'As law wants it.' },
      { ref: 'api', title: 'Endpoint', parent_ref: 'all' },
      { ref: 'later', title: 'Report', parent_ref: String(old).toLowerCase() },
    ]);

    expect(created.map(({ ref }) => ref)).toEqual(['ui', 'all', 'api', 'later']);
    expect(new Set(created.map(({ key }) => key))).toEqual(new Set(['SHO-2', 'SHO-3', 'SHO-4', 'SHO-5']));
    const byRef = Object.fromEntries(created.map((task) => [task.ref, task]));
    const ui = await world.ask('get_task', { task_id: byRef.ui?.key });
    expect(ui).toMatchObject({ title: 'Page', priority: 'high', status: 'todo', parent_key: byRef.all?.key });
    const blockers = (ui.blocked_by as { task_id: string }[]).map(({ task_id }) => task_id);
    expect(blockers).toHaveLength(2);
    expect(blockers).toContain(byRef.api?.task_id);
    expect(await world.ask('get_task', { task_id: byRef.later?.key })).toMatchObject({ parent_key: old });
    expect(await world.ask('get_task', { task_id: byRef.all?.key })).toMatchObject({ description: 'As law wants it.' });
  });

  it('[L-PLAN] takes a ref before a task of the same name', async () => {
    await using world = await createWorld();
    const { project_id, plan } = await aPlan(world);
    await world.ask('create_task', { project_id, title: 'Old' });

    const [named, child] = await plan([
      { ref: 'SHO-1', title: 'New' },
      { ref: 'b', title: 'Child', parent_ref: 'SHO-1' },
    ]);

    expect(await world.ask('get_task', { task_id: child?.key })).toMatchObject({ parent_key: named?.key });
  });

  it.each([
    ['a ref twice', [{ ref: 'a' }, { ref: 'a' }], 'tasks.1.ref: a names two tasks'],
    ['an unknown parent', [{ ref: 'a', parent_ref: 'b' }], 'tasks.0.parent_ref: b is neither a ref of this call'],
    [
      'an unknown blocker',
      [{ ref: 'a' }, { ref: 'c', blocked_by: ['a', 'XXX-1'] }],
      'tasks.1.blocked_by: XXX-1 is neither',
    ],
    ['its own parent', [{ ref: 'a', parent_ref: 'a' }], 'parent_ref closes a circle: a is below a'],
    [
      'a circle of parents',
      [
        { ref: 'a', parent_ref: 'b' },
        { ref: 'b', parent_ref: 'a' },
      ],
      'a is below b is below a',
    ],
    [
      'a circle of blockers',
      [
        { ref: 'a', blocked_by: ['c'] },
        { ref: 'b', blocked_by: ['a'] },
        { ref: 'c', blocked_by: ['b'] },
      ],
      'blocked_by closes a circle: a waits for c waits for b waits for a',
    ],
    [
      'parents that are nested too deep',
      Array.from({ length: 60 }, (_, i) => ({ ref: `t${i}`, ...(i > 0 && { parent_ref: `t${i - 1}` }) })),
      'deeper than 50 levels',
    ],
    ['more tasks than a call takes', Array.from({ length: 101 }, (_, i) => ({ ref: `t${i}` })), 'tasks'],
  ])('creates nothing when it finds %s', async (_, tasks, message) => {
    await using world = await createWorld();
    const { refuse, titles } = await aPlan(world);

    const refused = await refuse(tasks.map((task) => ({ title: 'x', ...task })));

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining(message) });
    expect(await titles()).toEqual([]);
  });

  it('[L-PLAN] finds no task of another project', async () => {
    await using world = await createWorld();
    const { refuse } = await aPlan(world);
    const other = await world.ask('admin_add_project', { name: 'Other' });
    const { key } = await world.ask('create_task', { project_id: other.project_id, title: 'Elsewhere' });

    const refused = await refuse([{ ref: 'a', title: 'x', blocked_by: [key] }]);

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining(`${key} is neither`) });
  });

  it('[L-PLAN] is done once when it is repeated with its key, and tells of each task', async () => {
    await using world = await createWorld();
    const { plan, titles } = await aPlan(world);
    const before = await world.store.reads.events.head();
    const tasks = [
      { ref: 'a', title: 'One' },
      { ref: 'b', title: 'Two', blocked_by: ['a'] },
    ];

    const answers = [await plan(tasks, { idempotency_key: 'k' }), await plan(tasks, { idempotency_key: 'k' })];

    expect(answers[1]).toEqual(answers[0]);
    expect(await titles()).toHaveLength(2);
    const events = await world.store.reads.events.page({ after: before, limit: 100 });
    expect(events.map(({ kind }) => kind)).toEqual(['work_item.created', 'work_item.created']);
  });

  it('[L-PLAN] needs the scope board:write in the project', async () => {
    await using world = await createWorld();
    const { project_id, titles } = await aPlan(world);
    const { agent } = createTracker(world);
    const reader = await agent({ projects: [project_id], scopes: ['board:read'] });

    const refused = await world.refuse('create_tasks', { project_id, tasks: [{ ref: 'a', title: 'x' }] }, reader);

    expect(refused.code).toBe('insufficient_scope');
    expect(await titles()).toEqual([]);
  });
});

describe('similar', () => {
  const LIKE = 'Fix the login loop on Safari';

  it.each(['create_task', 'create_tasks'])('names open tasks of the project that are like it: %s', async (tool) => {
    await using world = await createWorld();
    const { project_id, plan } = await aPlan(world);
    const other = await world.ask('admin_add_project', { name: 'Other' });
    await world.ask('create_task', { project_id: other.project_id, title: LIKE });
    const [login, , done] = await plan(
      [LIKE, 'Write the safari guide', LIKE].map((title, at) => ({ ref: `r${at}`, title })),
    );
    await world.ask('update_task', { task_id: done?.key, status: 'done' });
    const title = 'Login loop on Safari again';

    const answer =
      tool === 'create_task'
        ? await world.ask(tool, { project_id, title })
        : ((
            await plan([
              { ref: 'x', title: 'Nothing like it' },
              { ref: 'y', title },
            ])
          )[1] as never);

    expect(answer).toMatchObject({ similar: [{ task_id: login?.task_id, key: login?.key, title: LIKE }] });
    expect((answer as unknown as Created).similar).toHaveLength(1);
  });

  it('[L-PLAN] is left out for those who may not read, and when the search fails', async () => {
    await using world = await createWorld();
    const { project_id, plan } = await aPlan(world);
    await plan([{ ref: 'a', title: LIKE }]);
    const { agent } = createTracker(world);
    const writer = await agent({ projects: [project_id], scopes: ['board:write'] });
    const { search } = world.store.reads.workItems;

    const unseen = await world.ask('create_task', { project_id, title: LIKE }, writer);
    Object.assign(world.store.reads.workItems, { search: () => Promise.reject(new Error('away')) });
    const failed = await world.ask('create_task', { project_id, title: LIKE });
    Object.assign(world.store.reads.workItems, { search });

    expect([unseen, failed].map((answer) => 'similar' in answer)).toEqual([false, false]);
    expect(await world.ask('create_task', { project_id, title: LIKE })).toHaveProperty('similar');
  });

  it('[L-PLAN] names issues that are like a new one', async () => {
    await using world = await createWorld();
    const { project_id, plan } = await aPlan(world);
    const [first] = await plan([{ ref: 'a', title: LIKE }]);

    const created = await world.ask('tasker_create_issue', { project_id, name: LIKE, idempotency_key: '1' });

    expect(created).toMatchObject({ similar: [{ id: first?.task_id, key: first?.key, name: LIKE }] });
  });
});
