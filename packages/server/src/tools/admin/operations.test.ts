import { describe, expect, it } from 'vitest';
import { createBoardWorld } from '#testing/board';
import { aListener } from '#testing/listener';
import { createWorld } from '#testing/world';
import { catalog } from '#tools/catalog';

describe('admin_show_operations', () => {
  it('tells of the database, the queue, and the calls by tool and by code', async () => {
    await using board = await createBoardWorld();
    const { world, task, run, attempt } = board;
    await run(await attempt(await task()), 'running');
    await world.refuse('get_task', { task_id: 'NO-1' });

    const figures = await world.ask('admin_show_operations', {});

    expect(figures).toMatchObject({
      version: '9.9.9',
      database: { kind: 'sqlite', latest_migration: expect.stringMatching(/^\d{4}-/) },
      queue: { queued: 0, running: 1, oldest_queued_at: null, workers: 0, places: 0 },
      tool_count: catalog.length,
      errors: [{ code: 'not_found', count: 1, is_fault: false }],
      clients: [],
    });
    expect(figures.tools).toContainEqual(expect.objectContaining({ tool: 'get_task', calls: 1, failed: 1 }));
    expect((figures.database as { bytes: number }).bytes).toBeGreaterThan(100_000);
  });

  it('tells how long a change takes to its followers, and what the last week was like', async () => {
    await using board = await createBoardWorld();
    const { world, task } = board;
    const listener = await aListener(world.gateway, world.owner);
    world.queues.add({ queued: 3, database_bytes: 1_000 });
    await task();
    await listener.until(() => listener.changes().length === 1);
    world.time.now += 2 * 3_600_000;

    const figures = await world.ask('admin_show_operations', { minutes: 10_080 });

    expect(figures.events).toEqual({ listeners: 1, backlog: 0, lag_ms: 0 });
    const spans = figures.spans as { calls: number; queued: number | null }[];
    expect(spans).toHaveLength(168);
    expect(spans.map(({ queued }) => queued).filter((queued) => queued !== null)).toEqual([3]);
    const { bytes, grows_bytes } = figures.database as { bytes: number; grows_bytes: number };
    expect(grows_bytes).toBe((bytes - 1_000) * 12);
  });

  it('counts the calls of each MCP client, with its sessions', async () => {
    await using board = await createBoardWorld();
    const { world } = board;
    const tool = world.gateway.find('list_projects', 'all') ?? expect.unreachable();
    const client = { client: { title: 'Codex', version: '0.166.0' }, protocol_version: '2025-06-18' };
    const call = { caller: world.owner, tool, input: {}, transport: 'mcp-http' as const };
    const facts = { protocol_version: '2025-06-18', client: { name: 'Codex', version: '0.166.0' } };
    await world.gateway.client_sessions.open(world.owner, 'session', JSON.stringify(facts));

    for (const sent of [client, client, { ...client, client: null }])
      await world.gateway.dispatch({ ...call, client: sent });

    const { clients } = await world.ask('admin_show_operations', {});
    expect(clients).toEqual([
      { name: 'Codex', version: '0.166.0', protocol: '2025-06-18', count: 1, calls: 2 },
      { name: null, version: null, protocol: '2025-06-18', count: 0, calls: 1 },
    ]);
  });

  it('is for admins', async () => {
    await using board = await createBoardWorld();
    const { world } = board;
    const member = await world.callerWith({ user_id: await world.addUser('Anna'), scopes: ['board:read'] });

    expect((await world.refuse('admin_show_operations', {}, member)).code).toBe('insufficient_scope');
  });
});

describe('admin_list_agent_calls', () => {
  it('says when an agent was seen, also before it has called a tool', async () => {
    await using board = await createBoardWorld();
    const { world, robot } = board;
    const token = String((await world.ask('admin_rotate_agent', { agent_id: robot.agent_id })).token);
    const shown = () => world.ask('admin_list_agent_calls', { agent_id: robot.agent_id });

    await world.gateway.authenticate(token);

    expect(await shown()).toEqual({ calls: [], last_call_at: null, seen_at: new Date(world.time.now).toISOString() });
  });

  it('lists the calls of one agent with how they ended, newest first', async () => {
    await using board = await createBoardWorld();
    const { world, robot, task } = board;
    await task({}, robot);
    await world.refuse('get_task', { task_id: 'NO-1' }, robot);

    const { calls } = await world.ask('admin_list_agent_calls', { agent_id: robot.agent_id });

    expect(calls).toMatchObject([
      { tool: 'get_task', transport: 'rest', outcome: 'not_found' },
      { tool: 'create_task', outcome: 'ok' },
    ]);
    expect((await world.refuse('admin_list_agent_calls', { agent_id: world.owner.user_id })).code).toBe('not_found');
  });

  it('says when the agent called last, after a restart by the audit trail', async () => {
    await using board = await createBoardWorld();
    const { world, robot, task } = board;
    const of = { agent_id: robot.agent_id };
    expect(await world.ask('admin_list_agent_calls', of)).toMatchObject({ calls: [], last_call_at: null });
    await task({}, robot);
    const made_at = new Date(world.time.now).toISOString();
    world.time.now += 1_000;
    await world.ask('list_projects', {}, robot);
    const read_at = new Date(world.time.now).toISOString();

    const before = await world.ask('admin_list_agent_calls', of);
    // The same store, and none of what the server had in memory.
    const restarted = await createWorld({ open: async () => world.store });
    const after = await restarted.ask('admin_list_agent_calls', of);

    expect(before.last_call_at).toBe(read_at);
    expect(after).toMatchObject({ calls: [], last_call_at: made_at });
  });
});
