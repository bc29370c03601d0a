import { describe, expect, it } from 'vitest';
import { createServed } from '#testing/served';
import { EVERYDAY_SCOPES } from '#transports/cli/everyday-scopes';

type Served = Awaited<ReturnType<typeof createServed>>;

/** A client with the rights of a connected agent, with any address and headers. */
async function aClient({ world, call }: Served) {
  const { token } = await world.ask('admin_create_agent', {
    name: 'claude',
    project_ids: [world.installation.inbox_id],
    scopes: [...EVERYDAY_SCOPES],
  });
  const post = (path: string, method: string, params: object, headers: Readonly<Record<string, string>> = {}) =>
    call(
      'POST',
      path,
      { jsonrpc: '2.0', id: 1, method, params },
      {
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': '2025-06-18',
        ...headers,
      },
    );
  const names = async (path: string, headers?: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const { result } = (await post(path, 'tools/list', {}, headers)).json as { result: { tools: { name: string }[] } };
    return result.tools.map(({ name }) => name);
  };
  return { post, names };
}

describe('a client that names profiles', () => {
  it('sees only their tools', async () => {
    await using served = await createServed();
    const { names } = await aClient(served);

    const [all, board, executions, both, none] = [
      await names('/mcp'),
      await names('/mcp?profiles=board'),
      await names('/mcp', { 'errand-profiles': 'executions' }),
      await names('/mcp?profiles=board,executions'),
      await names('/mcp?profiles=tasker'),
    ];

    expect(all).toEqual(expect.arrayContaining([...both, 'todo_add_task']));
    expect(board).toContain('next_task');
    expect(executions).toEqual(['update_execution_session', 'create_step', 'update_step', 'health_check']);
    expect(both).toEqual([...board, ...executions]);
    expect(none).toEqual([]);
  });

  it('gets instructions only about their tools', async () => {
    await using served = await createServed();
    const { post } = await aClient(served);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

    const { json } = await post('/mcp?profiles=board', 'initialize', params);

    const { instructions } = json.result as { instructions: string };
    expect(instructions).toContain('next_task');
    expect(instructions).not.toMatch(/todo_|create_step|start_task_attempt|tasker_/);
  });

  it('cannot call a tool that it does not see', async () => {
    await using served = await createServed();
    const { post } = await aClient(served);
    const call = { name: 'todo_add_task', arguments: { user_id: 'me', title: 'Buy milk' } };

    const refused = await post('/mcp?profiles=board', 'tools/call', call);
    const done = await post('/mcp?profiles=board,todo', 'tools/call', call);

    expect(refused.json.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'insufficient_scope' } },
    });
    expect(done.json.result).toMatchObject({ structuredContent: { status: 'created' } });
  });

  it('is refused when there is no such profile', async () => {
    await using served = await createServed();
    const { post } = await aClient(served);

    const { status, json } = await post('/mcp?profiles=bord', 'tools/list', {});

    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { code: 'validation_error', message: 'There is no profile "bord".' } });
    expect(JSON.stringify(json)).toContain('todo, tasker, board, executions');
  });
});
