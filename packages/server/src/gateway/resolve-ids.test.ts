import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import type { NamedKind } from '#domain/reference';
import type { Scope } from '#domain/scope';
import { aBoard, aWorker } from '#testing/attempts';
import { createBoardOf } from '#testing/board';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';
import { catalog, type Tool } from '#tools/catalog';
import { createResolve, idFieldsOf } from './resolve-ids.ts';

const SCOPES: readonly Scope[] = ['board:read', 'board:write', 'board:run', 'issue:read'];

/** Fields that end like ids and name nothing of Errand's that could be looked up. */
const NO_NAMES =
  /^(?:idempotency_|agent_session_|external_)|^(?:todo_.*user_id|.*state_id|.*label_ids?.*|.*_blocks.item_id|.*session_id|.*entity_id|.*user_ids.*|.*comment_id|admin_remove_user.user_id)$/;

const FIELDS = catalog.flatMap((tool) => idFieldsOf(tool).map((field) => ({ tool, ...field })));

interface Things {
  readonly world: World;
  /** An agent that reaches another project alone. */
  readonly foreigner: Caller;
  /** A thing of each kind, with the texts that mean it. */
  readonly of: Partial<Record<NamedKind, { readonly id: string; readonly texts: readonly string[] }>>;
  readonly near: Record<string, string>;
}

let things: Things;

async function settle(): Promise<Things> {
  const world = await createWorld();
  const tracker = createTracker(world);
  const { project_id } = (await world.ask('admin_add_project', { name: 'Website' })) as { project_id: string };
  await world.ask('admin_update_project', { project_id, key: 'SITE' });
  const other = await tracker.project();
  const foreigner = await tracker.agent({ projects: [other], scopes: SCOPES });
  const board = createBoardOf(world, project_id);
  const task_id = await board.task();
  const attempt = await board.attempt(task_id, { sessions: ['codex'] });
  const run = await board.run(attempt, 'running');
  const user_id = await world.addUser('Zora');
  await world.ask('admin_add_repo', { project_id, path: '/repos/web' });
  const { repos } = (await world.ask('admin_list_repos', { project_id })) as { repos: { repo_id: string }[] };
  const { agent_id } = (await world.ask('admin_create_agent', {
    name: 'Robo',
    owner_id: world.owner.user_id,
    project_ids: [project_id],
    scopes: ['board:read'],
  })) as { agent_id: string };
  const start = (id: string) => id.slice(0, 8);
  return {
    world,
    foreigner,
    near: {},
    of: {
      project: { id: project_id, texts: ['SITE', 'site', 'WEB', 'Website', 'WEBSITE'] },
      work_item: { id: task_id, texts: ['SITE-1', 'site-1', 'WEB-1'] },
      attempt: { id: attempt.id, texts: ['SITE-1.1', 'web-1.1', 'SITE-1', start(attempt.id)] },
      session: { id: attempt.sessions[0]?.id ?? '', texts: [start(attempt.sessions[0]?.id ?? '')] },
      execution: { id: run.id, texts: [start(run.id)] },
      user: { id: user_id, texts: ['Zora', 'zora'] },
      agent: { id: agent_id, texts: ['Robo', 'ROBO'] },
      repo: { id: repos[0]?.repo_id ?? '', texts: ['web', 'WEB'] },
    },
  };
}

beforeAll(async () => {
  things = await settle();
});

/** The input of a call with this text in this field. */
const inputWith = (path: readonly string[], text: string): Record<string, unknown> => {
  const build = ([name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) return text;
    return name === '*' ? [build(rest)] : { [name]: build(rest) };
  };
  return build(path) as Record<string, unknown>;
};

const valueAt = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined) return value;
  return valueAt((value as Record<string, unknown>)[name === '*' ? '0' : name], rest);
};

async function resolved(tool: Tool, path: readonly string[], text: string, caller = things.world.owner) {
  const resolve = createResolve({ is_local: true });
  const call = { caller, tool, input: {}, transport: 'test' } as never;
  // The project is checked by the tool's own rights, which are not looked at here.
  const settled = {
    call: { ...(call as object), tool: { ...tool, project: null } } as never,
    input: inputWith(path, text),
    named: caller.user_id,
    subject: caller.user_id,
    needed: [],
    correlation_id: 'c',
  };
  return valueAt((await resolve(things.world.store.reads, settled)).input, path);
}

const titled = FIELDS.map((field) => ({ ...field, title: `${field.tool.full_name} ${field.path.join('.')}` }));

describe('the fields of tools that name things', () => {
  it('are all that end in _id', () => {
    const named = new Set(titled.map(({ title }) => title.replaceAll('.*', '').replace(' ', '.')));
    const left = catalog.flatMap((tool) =>
      Object.keys(tool.input.shape)
        .filter((name) => /_ids?$/.test(name))
        .map((name) => `${tool.full_name}.${name}`)
        .filter((name) => !named.has(name) && !NO_NAMES.test(name)),
    );

    expect(FIELDS.length).toBeGreaterThan(60);
    expect(left).toEqual([]);
  });

  it.each(titled)(
    '$title takes the id, each key and name, old ones and starts of ids',
    async ({ tool, path, kind }) => {
      const thing = things.of[kind];
      // Todo tools find the todos of their user alone; these kinds have tests of their own.
      if (thing === undefined || tool.profile === 'todo') return;

      for (const text of [thing.id, ...thing.texts])
        expect([text, await resolved(tool, path, text)]).toEqual([text, thing.id]);
    },
  );

  it.each(titled)('$title leaves what the caller may not see as it was typed', async ({ tool, path, kind }) => {
    const thing = things.of[kind];
    if (thing === undefined || tool.profile === 'admin') return;

    for (const text of [...thing.texts, 'NONE-1', 'nobody', 'ffffff']) {
      expect(await resolved(tool, path, text, things.foreigner)).toBe(text);
    }
  });
});

describe('a text that can mean several things', () => {
  it('is refused with the candidates that the caller sees', async () => {
    await using world = await createWorld();
    const tracker = createTracker(world);
    const project_id = await tracker.project();
    const board = createBoardOf(world, project_id);
    const [first, second] = [await board.task({ title: 'Roof' }), await board.task({ title: 'Wall' })];

    const refused = await world.refuse('get_task', { task_id: '00000000-0000' });

    expect(refused).toMatchObject({
      code: 'ambiguous',
      message: '"00000000-0000" can mean 2 tasks.',
      hint: 'Give one of: ROC-1 (Roof), ROC-2 (Wall).',
      details: {
        field: 'task_id',
        candidates: [
          { id: first, key: 'ROC-1', name: 'Roof' },
          { id: second, key: 'ROC-2', name: 'Wall' },
        ],
      },
    });
  });

  it('is an attempt by the key of its task only while the task has one', async () => {
    await using world = await createWorld();
    const tracker = createTracker(world);
    const board = createBoardOf(world, await tracker.project());
    const task = await board.task();
    const first = await board.attempt(task);

    expect(await world.ask('get_attempt', { attempt_id: 'roc-1' })).toMatchObject({ attempt_id: first.id });
    await board.attempt(task);
    expect(await world.refuse('get_attempt', { attempt_id: 'roc-1' })).toMatchObject({
      code: 'ambiguous',
      hint: 'Give one of: ROC-1.1 (Fix the roof), ROC-1.2 (Fix the roof).',
    });
  });
});

describe('a refusal', () => {
  it('[L-KEY] names tasks and attempts by their keys, and says how a task gets its first attempt', async () => {
    await using world = await createWorld();
    const tracker = createTracker(world);
    const board = createBoardOf(world, await tracker.project());
    const [first, second] = [await board.task(), await board.task()];
    await board.attempt(first);
    await world.ask('update_task', { task_id: second, blocked_by: ['ROC-1'] });

    const circle = await world.refuse('update_task', { task_id: first, blocked_by: ['ROC-2'] });
    const blocked = await world.refuse('next_task', { task_id: 'ROC-2' });
    const none = await world.refuse('get_attempt', { attempt_id: 'ROC-2' });
    await world.ask('update_task', { task_id: second, status: 'done' });
    const over = await world.refuse('next_task', { task_id: second });
    const unsent = await world.refuse('send_review', { attempt_id: 'ROC-1' });

    expect([circle, blocked, none, over, unsent].map(({ message }) => message)).toEqual([
      'blocked_by: would close a circle: ROC-1 waits for ROC-2 waits for ROC-1.',
      'Task ROC-2 waits for tasks that are not completed: ROC-1.',
      'No task ROC-2 with an open attempt in the projects where you may do this.',
      'Task ROC-2 cannot be claimed: it is completed or cancelled.',
      'Attempt ROC-1.1 has no comments that were not sent.',
    ]);
    expect(none.hint).toBe(
      'Call start_task_attempt with the task to begin one. Call list_tasks for the keys of tasks.',
    );
  });
});

describe('callers', () => {
  it('within an attempt find its task and itself, and answer for others like for unknown ones', async () => {
    await using world = await createWorld();
    const tracker = createTracker(world);
    const board = createBoardOf(world, await tracker.project());
    const [task, other] = [await board.task(), await board.task()];
    const [own, foreign] = [await board.attempt(task), await board.attempt(other)];
    const bound = await board.within(own);

    expect(await world.ask('get_task', { task_id: 'ROC-1' }, bound)).toMatchObject({ task_id: task });
    expect(await world.ask('get_attempt', { attempt_id: 'ROC-1.1' }, bound)).toMatchObject({ attempt_id: own.id });
    for (const attempt_id of ['ROC-2.1', 'ROC-2', foreign.id, 'ROC-9']) {
      const named = /^ROC-\d$/.test(attempt_id) ? `task ${attempt_id} with an open attempt` : `attempt ${attempt_id}`;
      expect(await world.refuse('get_attempt', { attempt_id }, bound)).toMatchObject({
        code: 'not_found',
        message: `No ${named} in the projects where you may do this.`,
      });
    }
  });

  it('of todo tools find todos of their user alone, and no one else’s conversation', async () => {
    await using world = await createWorld();
    const { task_id } = (await world.ask('todo_add_task', { user_id: 'me', title: 'Milk' })) as { task_id: string };
    const zora = await world.addUser('Zora');
    const key = (await world.store.reads.workItems.findTodo(world.owner.workspace_id, task_id as never))?.number;
    const list = await world.store.reads.projects.todoList(world.owner.workspace_id, world.owner.user_id);
    const project = list && (await world.store.reads.projects.find(world.owner.workspace_id, list.project_id));
    const name = `${project?.key}-${key}`;

    expect(await world.ask('todo_complete_task', { user_id: 'me', task_id: name })).toMatchObject({ task_id });
    const service = await world.callerWith({
      kind: 'service',
      name: 'shop',
      user_ids: [zora],
      scopes: ['todo:read', 'todo:write', 'todo:act_as'],
    });
    for (const task of [name, 'OWN-99', '000000'])
      expect(await world.refuse('todo_complete_task', { user_id: zora, task_id: task }, service)).toMatchObject({
        message: `No task ${task}.`,
      });
  });

  it('name the project of a call by its key, and are refused where they do not reach it', async () => {
    await using world = await createWorld();
    const tracker = createTracker(world);
    const [mine, theirs] = [await tracker.project(), await tracker.project()];
    const robot = await tracker.agent({ projects: [mine], scopes: ['board:read', 'board:write'] });

    const made = await world.ask('create_task', { project_id: 'roc', title: 'Roof', idempotency_key: 'k' }, robot);
    const again = await world.ask('create_task', { project_id: 'roc', title: 'Roof', idempotency_key: 'k' }, robot);

    expect(made).toMatchObject({ key: 'ROC-1' });
    expect(again).toEqual(made);
    const [byId, byKey, unknown] = await Promise.all(
      [theirs, 'ROC2', 'NONE'].map((project_id) => world.refuse('list_tasks', { project_id }, robot)),
    );
    expect([byId?.code, byKey?.code]).toEqual(['project_not_granted', 'project_not_granted']);
    expect([byKey?.message, unknown?.message]).toEqual([byId?.message, byId?.message]);
  });
});

it('names a blocker and a repository of a list by key and name', async () => {
  await using world = await createWorld();
  const tracker = createTracker(world);
  const project_id = await tracker.project();
  const board = createBoardOf(world, project_id);
  const first = await board.task();

  const second = await world.ask('create_task', { project_id, title: 'Wall', blocked_by: ['roc-1'] });

  expect(await board.read(second.task_id as string)).toMatchObject({ blocked_by: [{ task_id: first }] });
});

it('means the repository of the task’s own project, though other projects have one of that name', async () => {
  await using world = await createWorld();
  await aWorker(world);
  const { task_id, repo_id } = await aBoard(world);
  // More than are read as candidates, and made before and after.
  for (let made = 0; made < 12; made++) {
    const other = await world.ask('admin_add_project', { name: `Other ${made}` });
    await world.ask('admin_add_repo', { project_id: other.project_id, path: '/repos/shop', target_branch: 'main' });
  }
  const late = await world.ask('admin_add_project', { name: 'Late', key: 'LATE' });
  const own = await world.ask('admin_add_repo', { project_id: 'LATE', path: '/repos/shop', target_branch: 'main' });
  await world.ask('create_task', { project_id: late.project_id, title: 'Wall' });
  const start = (task: unknown) =>
    world.ask('start_task_attempt', { task_id: task, executor: 'scripted', repos: [{ repo_id: 'shop' }] });

  const [first, last] = [await start(task_id), await start('LATE-1')];

  const reposOf = async ({ attempt_id }: Record<string, unknown>) =>
    (await world.ask('get_attempt', { attempt_id })).repos;
  expect(await reposOf(first)).toMatchObject([{ repo_id }]);
  expect(await reposOf(last)).toMatchObject([{ repo_id: own.repo_id }]);
});

it('refuses a project of a tracker elsewhere that was not granted, though its id is not looked up', async () => {
  const found = [{ id: 'plane-1', name: 'Engine' }];
  await using world = await createWorld({ tracker: { is_local: false, projects: async () => found } });
  await world.ask('admin_import_projects', {});
  const tracker = createTracker(world);
  const robot = await tracker.agent({ projects: [await tracker.project()], scopes: ['issue:read'] });

  const refused = await world.refuse('tasker_search_issues', { project_id: 'plane-1', query: 'x' }, robot);

  expect(refused).toMatchObject({ code: 'project_not_granted' });
});
