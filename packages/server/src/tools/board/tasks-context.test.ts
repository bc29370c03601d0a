import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBoardOf, createBoardWorld } from '#testing/board';
import { catalog } from '#tools/catalog';

const BOARD = catalog.filter(({ profile }) => profile === 'board');

const SEEDED = [
  'list_projects',
  'list_repos',
  'list_tasks',
  'list_task_attempts',
  'get_task',
  'create_task',
  'update_task',
  'delete_task',
  'start_task_attempt',
  'follow_up',
];

const addRepo = async (board: Awaited<ReturnType<typeof createBoardWorld>>, name: string): Promise<string> => {
  const { repo_id } = await board.world.ask('admin_add_repo', { project_id: board.project_id, path: `/repos/${name}` });
  return repo_id as string;
};

describe('get_context', () => {
  it('[B-CTX-1, B-CTX-S1] gives an agent its project, task, attempt, run and repositories', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task({ title: 'Fix the roof', status: 'inprogress' });
    const repo_id = await addRepo(board, 'house');
    const attempt = await board.attempt(task_id, { branch: 'errand/roof', repo_ids: [repo_id] });
    await board.run(attempt, 'completed');
    const agent = await board.within(attempt);

    const context = await board.world.ask('get_context', {}, agent);
    const { run } = await board.world.ask('get_attempt', { attempt_id: attempt.id });

    expect(context).toEqual({
      project_id: board.project_id,
      project_key: 'ROC',
      project_name: 'Rocket',
      task_id,
      task_key: 'ROC-1',
      task_title: 'Fix the roof',
      task_status: 'inprogress',
      attempt_id: attempt.id,
      attempt_key: 'ROC-1.1',
      execution_id: (run as { execution_id: string }).execution_id,
      workspace_branch: 'errand/roof',
      workspace_repos: [{ repo_id, repo_name: 'house', target_branch: 'main' }],
    });
  });

  it('[B-TOOLS-2] is listed and answered only within an attempt', async () => {
    await using board = await createBoardWorld();
    const attempt = await board.attempt(await board.task());
    const agent = await board.within(attempt);
    const { gateway, owner } = board.world;
    const names = (caller: typeof owner) => gateway.visible(caller, 'board').map(({ name }) => name);

    const refused = await board.world.refuse('get_context', {}, owner);

    expect(names(agent)).toContain('get_context');
    expect(names(owner)).not.toContain('get_context');
    expect(names(board.robot)).not.toContain('get_context');
    expect(refused.code).toBe('insufficient_scope');
  });

  it('answers the owner of the machine in a process of a run, who still sees everything', async () => {
    await using board = await createBoardWorld();
    const other = await board.task();
    const attempt = await board.attempt(await board.task());
    const run = await board.run(attempt, 'running');
    const owner = await board.world.gateway.inRun(board.world.owner, run.id);

    const context = await board.world.ask('get_context', {}, owner);

    expect(context).toMatchObject({ attempt_id: attempt.id });
    expect(await board.read(other, owner)).toMatchObject({ task_id: other });
  });
});

describe('a caller within an attempt', () => {
  it('sees one task, one attempt and one project, and no others', async () => {
    await using board = await createBoardWorld();
    const wall = await board.task({ title: 'Wall' });
    const task_id = await board.task({ title: 'Roof', blocked_by: [wall] });
    await board.task({ title: 'Paint', blocked_by: [task_id] });
    const own = await board.attempt(task_id, { branch: 'errand/own', sessions: ['codex'] });
    board.world.time.now += 1;
    await board.attempt(task_id, { branch: 'errand/other', run_status: 'failed', sessions: ['opencode'] });
    await board.project('Elsewhere');
    const agent = await board.within(own);

    const { projects } = await board.world.ask('list_projects', {}, agent);
    const tasks = await board.list({}, agent);
    const task = await board.read(task_id, agent);
    const attempts = await board.world.ask('list_task_attempts', { task_id }, agent);

    const session = own.sessions[0]?.id;
    const summary = { latest_attempt_id: own.id, latest_workspace_branch: 'errand/own', latest_session_id: session };
    expect(projects).toMatchObject([{ project_id: board.project_id }]);
    expect(tasks).toMatchObject([{ task_id, ...summary, last_attempt_failed: false }]);
    expect(tasks).toHaveLength(1);
    expect(task).toMatchObject({ ...summary, blocked_by: [], blocks: [], last_failure: null });
    expect(attempts).toMatchObject({ latest_attempt_id: own.id, latest_session_id: session });
    expect(attempts.attempts).toMatchObject([{ attempt_id: own.id }]);
    expect(attempts.attempts).toHaveLength(1);
  });

  it('gets the same error for another task of the project as for an unknown one', async () => {
    await using board = await createBoardWorld();
    const other = await board.task();
    const agent = await board.within(await board.attempt(await board.task()));

    for (const tool of ['get_task', 'list_task_attempts']) {
      const known = await board.world.refuse(tool, { task_id: other }, agent);
      const unknown = await board.world.refuse(tool, { task_id: 'nothing' }, agent);

      expect(known).toMatchObject({ code: 'not_found' });
      expect(known.message.replace(other, 'nothing')).toBe(unknown.message);
    }
    expect(await board.list({ ready: true }, agent)).toEqual([]);
  });

  it('changes nothing on the board', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    const agent = await board.within(await board.attempt(task_id));

    for (const [tool, input] of [
      ['create_task', { project_id: board.project_id, title: 'Mine' }],
      ['update_task', { task_id, title: 'Mine' }],
      ['next_task', {}],
      ['delete_task', { task_id }],
    ] as const) {
      expect(await board.world.refuse(tool, input, agent)).toMatchObject({ code: 'insufficient_scope' });
    }
  });
});

describe('get_task', () => {
  it('says how the latest attempt failed', async () => {
    await using board = await createBoardWorld();
    const task_id = await board.task();
    const attempt = await board.attempt(task_id);
    const run = await board.run(attempt, 'failed', 'exit code 1');

    const task = await board.read(task_id);

    expect(task).toMatchObject({
      last_attempt_failed: true,
      last_failure: { attempt_id: attempt.id, execution_id: run.id, reason: 'exit code 1' },
    });
  });
});

describe('list_repos', () => {
  it('lists the repositories of a project, page by page', async () => {
    await using board = await createBoardWorld();
    const other = createBoardOf(board.world, await board.project('Elsewhere'));
    await other.task();
    const repos = [await addRepo(board, 'house'), await addRepo(board, 'garden')];
    const input = { project_id: board.project_id, limit: 1 };

    const first = await board.world.ask('list_repos', input, board.robot);
    const rest = await board.world.ask('list_repos', { ...input, cursor: first.next_cursor }, board.robot);

    expect(first.repos).toEqual([{ repo_id: repos[0], repo_name: 'house', target_branch: 'main' }]);
    expect(rest).toEqual({ repos: [{ repo_id: repos[1], repo_name: 'garden', target_branch: 'main' }] });
  });
});

describe('the lists of the board', () => {
  it.each(['list_tasks', 'list_task_attempts', 'list_repos'])(
    '%s refuse the cursor that another agent was given',
    async (tool) => {
      await using board = await createBoardWorld();
      const task_id = await board.task();
      await board.task();
      for (const name of ['house', 'garden']) await addRepo(board, name);
      for (let i = 0; i < 2; i++) await board.attempt(task_id, { created_at: i });
      const other = await board.agent({ projects: [board.project_id], scopes: ['board:read'] });
      const of = tool === 'list_task_attempts' ? { task_id } : { project_id: board.project_id };

      const { next_cursor: cursor } = await board.world.ask(tool, { ...of, limit: 1 }, board.robot);
      const refused = await board.world.refuse(tool, { ...of, cursor }, other);

      expect(refused).toMatchObject({ code: 'validation_error', details: { fields: [{ field: 'cursor' }] } });
      expect(await board.world.ask(tool, { ...of, cursor }, board.robot)).not.toHaveProperty('next_cursor');
    },
  );
});

interface Schema {
  readonly description?: string;
  readonly format?: string;
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
}

/** Every field of a schema, however deep, by its name. */
const fieldsOf = (schema: Schema): readonly (readonly [string, Schema])[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [[name, field] as const, ...fieldsOf(field)]),
  ...(schema.items === undefined ? [] : fieldsOf(schema.items)),
  ...(schema.anyOf ?? []).flatMap(fieldsOf),
];

const answersOf = (tool: (typeof BOARD)[number]) => fieldsOf(z.toJSONSchema(tool.output, { io: 'output' }) as Schema);
const argumentsOf = (tool: (typeof BOARD)[number]) => fieldsOf(z.toJSONSchema(tool.input, { io: 'input' }) as Schema);

/** The kinds of text that a field holds, null left out. */
const formatsOf = ({ format, anyOf = [] }: Schema): readonly (string | undefined)[] =>
  anyOf.length === 0 ? [format] : anyOf.filter(({ type }) => type !== 'null').flatMap(formatsOf);

/** The words that a field, or each of several in it, may be. */
const valuesOf = ({ enum: values = [], anyOf = [], items }: Schema): readonly string[] => [
  ...values,
  ...anyOf.flatMap(valuesOf),
  ...(items === undefined ? [] : valuesOf(items)),
];

const descriptionsOf = ({ description = '', anyOf = [], items }: Schema): string =>
  [description, ...anyOf.map(descriptionsOf), items === undefined ? '' : descriptionsOf(items)].join(' ');

describe('the tools of the board', () => {
  it('[B-TOOLS-1, B-TOOLS-S1] have the names of their specification', () => {
    const names = BOARD.map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining([...SEEDED, 'get_context']));
    expect(BOARD.every(({ name, full_name }) => name === full_name)).toBe(true);
  });

  it('[B-DOCS-1, B-DOCS-S1] describe every field, at any depth', () => {
    const bare = BOARD.flatMap((tool) =>
      [...argumentsOf(tool), ...answersOf(tool)]
        .filter(([, { description, anyOf }]) => !(description ?? anyOf?.find((part) => part.description)?.description))
        .map(([name]) => `${tool.name}.${name}`),
    );

    expect(bare).toEqual([]);
  });

  it('[B-DOCS-1] name each value of an enum', () => {
    const unnamed = BOARD.flatMap((tool) =>
      [...argumentsOf(tool), ...answersOf(tool)].flatMap(([name, field]) =>
        valuesOf(field)
          .filter((value) => !new RegExp(`\\b${value}\\b`).test(descriptionsOf(field)))
          .map((value) => `${tool.name}.${name}: ${value}`),
      ),
    );

    expect(unnamed).toEqual([]);
  });

  it('[B-DOCS-1] say the format of ids and times', () => {
    const isVague =
      (format: RegExp) =>
      ([, field]: readonly [string, Schema]) =>
        !format.test(descriptionsOf(field));
    const idsOf = (fields: ReturnType<typeof fieldsOf>) => fields.filter(([name]) => /_ids?$/.test(name));
    const timesOf = (fields: ReturnType<typeof fieldsOf>) => fields.filter(([name]) => name.endsWith('_at'));
    const vague = BOARD.flatMap((tool) =>
      [
        ...idsOf(argumentsOf(tool)).filter(isVague(/\bid\b/)),
        ...idsOf(answersOf(tool)).filter(isVague(/\bUUID\b/)),
        ...timesOf([...argumentsOf(tool), ...answersOf(tool)]).filter(isVague(/RFC 3339/)),
      ].map(([name]) => `${tool.name}.${name}`),
    );

    expect(vague).toEqual([]);
  });

  it('[B-DOCS-1] do not ask for a UUID where a key or a name is taken too', () => {
    const strict = BOARD.flatMap((tool) =>
      argumentsOf(tool)
        .filter(([, field]) => JSON.stringify(field).includes('UUID'))
        .map(([name]) => `${tool.name}.${name}`),
    );

    expect(strict).toEqual([]);
  });

  it('[B-ATTEMPT-1, B-ATTEMPT-2, B-ATTEMPT-S2] speak of attempts by attempt_id, and never of a workspace_id', () => {
    const names = BOARD.flatMap((tool) => [...argumentsOf(tool), ...answersOf(tool)].map(([name]) => name));

    expect(names).toContain('attempt_id');
    expect(names).not.toContain('workspace_id');
  });

  it('[B-ATTEMPT-3, B-ATTEMPT-4] answer ids as UUIDs and times as RFC 3339', () => {
    const wrong = BOARD.flatMap((tool) =>
      answersOf(tool).flatMap(([name, field]) => {
        const wanted = /_id$/.test(name) && name !== 'option' ? 'uuid' : /_at$/.test(name) ? 'date-time' : null;
        return wanted !== null && formatsOf(field).some((format) => format !== wanted) ? [`${tool.name}.${name}`] : [];
      }),
    );

    expect(wrong).toEqual([]);
  });
});
