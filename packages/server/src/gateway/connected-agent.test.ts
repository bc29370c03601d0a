import { describe, expect, it } from 'vitest';
import type { Caller } from '#domain/caller';
import { createWorld, type World } from '#testing/world';
import { EVERYDAY_MOVES, EVERYDAY_SCOPES } from '#transports/cli/everyday-scopes';
import { createCatalogHost } from '#transports/mcp/catalog-host';

const MINUTE = 60_000;

interface Moves {
  readonly can_complete: boolean;
  readonly can_cancel: boolean;
}

/** An agent as `errand connect` makes it: the scopes of every day, in all projects of its owner. */
async function connect(world: World, moves: Moves = EVERYDAY_MOVES) {
  const { project_id } = await world.ask('admin_add_project', { name: 'Website' });
  const project_ids = [world.installation.inbox_id, project_id];
  const { token } = await world.ask('admin_create_agent', {
    name: 'claude',
    project_ids,
    scopes: [...EVERYDAY_SCOPES],
    ...moves,
  });
  return { project_id: String(project_id), agent: await world.gateway.authenticate(String(token)) };
}

/** What the model reads when its call at /mcp is refused. */
async function refusedAt(world: World, caller: Caller, name: string, input: object) {
  const host = createCatalogHost({ gateway: world.gateway, profile: 'all', transport: 'mcp-http', version: '1' });
  const answer = await host.tools.call(
    name,
    input as never,
    { caller, client: null, meta: {}, protocol_version: '2026-07-28' } as never,
  );
  return (JSON.parse((answer as { json: string }).json) as { error: { code: string; hint?: string } }).error;
}

describe('a connected agent', () => {
  it('sees the projects that it was connected to', async () => {
    await using world = await createWorld();
    const { agent } = await connect(world);

    const { projects } = await world.ask('list_projects', {}, agent);

    expect(projects).toMatchObject([
      { name: 'Inbox', can_complete: true, can_cancel: false },
      { name: 'Website', can_complete: true, can_cancel: false },
    ]);
  });

  it('takes tasks of projects, and todos only when they are named', async () => {
    await using world = await createWorld();
    const { agent, project_id } = await connect(world);
    const todo = await world.ask('todo_add_task', { user_id: 'me', title: 'Call the doctor' });
    const task = await world.ask('create_task', { project_id, title: 'Fix the header' });

    const taken = [await world.ask('next_task', {}, agent), await world.ask('next_task', {}, agent)];
    const asked = await world.ask('next_task', { task_id: todo.task_id }, agent);

    expect(taken).toMatchObject([{ task: { task_id: task.task_id } }, { task: null }]);
    expect(asked).toMatchObject({ task: { title: 'Call the doctor' } });
  });

  it('takes todos where its owner has no other project', async () => {
    await using world = await createWorld();
    await world.ask('todo_add_task', { user_id: 'me', title: 'Try Errand' });

    expect(await world.ask('next_task', {})).toMatchObject({ task: { title: 'Try Errand' } });
  });

  it('completes a task that it has claimed, and gets the expiry of a renewed claim', async () => {
    await using world = await createWorld();
    const { agent, project_id } = await connect(world);
    const { task_id } = await world.ask('create_task', { project_id, title: 'Fix the header' });
    await world.ask('next_task', { lease_minutes: 10 }, agent);

    world.time.now += 9 * MINUTE;
    const renewed = await world.ask('update_task', { task_id, claim_epoch: 1 }, agent);
    const done = await world.ask('update_task', { task_id, claim_epoch: 1, status: 'done' }, agent);

    expect(renewed).toMatchObject({ claim: { epoch: 1, expires_at: '2026-01-01T00:19:00.000Z' } });
    expect(done).toMatchObject({ status: 'done' });
    expect(done).not.toHaveProperty('claim');
  });

  it('gets the names only of tools that it has when it may not cancel', async () => {
    await using world = await createWorld();
    const { agent, project_id } = await connect(world);
    const { task_id } = await world.ask('create_task', { project_id, title: 'Fix the header' });

    const refused = await refusedAt(world, agent, 'update_task', { task_id, status: 'cancelled' });

    expect(refused).toMatchObject({
      code: 'move_not_granted',
      hint: 'Set status to inreview when it is done. Let a person move it.',
    });
  });

  it('cannot complete through the todo list what its grant refuses on the board', async () => {
    await using world = await createWorld();
    const { agent } = await connect(world, { can_complete: false, can_cancel: false });
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Call the doctor' });

    const onBoard = await world.refuse('update_task', { task_id, status: 'done' }, agent);
    const onList = await world.refuse('todo_complete_task', { user_id: 'me', task_id, completed: true }, agent);

    expect([onBoard.code, onList.code]).toEqual(['move_not_granted', 'UNAUTHORIZED']);
    expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'todo' });
  });

  it('cannot complete through the todo list a task that another agent has claimed', async () => {
    await using world = await createWorld();
    const { agent } = await connect(world);
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Call the doctor' });
    await world.ask('next_task', { task_id });

    const refused = await world.refuse('todo_complete_task', { user_id: 'me', task_id, completed: true }, agent);

    expect(refused.code).toBe('conflict');
  });

  it('completes todos without a grant for the list, with the scope alone', async () => {
    await using world = await createWorld();
    const { token } = await world.ask('admin_create_agent', {
      name: 'assistant',
      project_ids: [],
      scopes: ['todo:read', 'todo:write'],
    });
    const agent = await world.gateway.authenticate(String(token));
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Call the doctor' });

    const done = await world.ask('todo_complete_task', { user_id: 'me', task_id, completed: true }, agent);

    expect(done).toMatchObject({ completed: true });
  });

  it('gets a hint how to name its owner when it leaves user_id out', async () => {
    await using world = await createWorld();
    const { agent } = await connect(world);

    const refused = await world.refuse('todo_list_tasks', {}, agent);

    expect(refused.message).toContain('user_id: is required: use "me"');
  });
});
