import { describe, expect, it } from 'vitest';
import { createServed } from '#testing/served';

const CODEX = { 'x-codex-turn-metadata': { session_id: 'codex session' } };
const CLAUDE = { 'io.modelcontextprotocol/clientInfo': { name: 'claude-code', title: 'Claude Code', version: '2.1' } };
const META_2026 = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A server with one run that has no client facts yet. */
async function aRun() {
  const served = await createServed();
  const { id } = await served.world.ask('create_execution', { name: 'a run' });
  const execution_id = String(id);
  const { token } = await served.world.token({ scopes: ['execution:report'] });
  const call = async (path: string, body: object, headers: Record<string, string>) => {
    const said = await served.call('POST', path, body, { authorization: `Bearer ${String(token)}`, ...headers });
    expect(said.text).not.toContain('error');
    return said;
  };
  const callStep = (_meta: object, params: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_step', arguments: { execution_id, step_name: 'Build' }, _meta, ...params },
  });
  return {
    ...served,
    callStep,
    execution_id,
    known: () => served.world.ask('get_execution', { execution_id }),
    call,
    mcp: (body: object, headers: Record<string, string>) =>
      call('/mcp/executions', body, { accept: 'application/json', ...headers }),
    [Symbol.asyncDispose]: served[Symbol.asyncDispose],
  };
}

describe('client facts', () => {
  it('come with the calls of a client that initialized: its session, and its name from the header', async () => {
    await using run = await aRun();

    await run.mcp(run.callStep(CODEX), {
      'mcp-protocol-version': '2025-06-18',
      'user-agent': 'codex-mcp-client/0.166.0',
    });

    expect(await run.known()).toMatchObject({ session_id: 'codex session', client: 'codex-mcp-client 0.166.0' });
  });

  it('come with the calls of a client that does not: its name from the call itself', async () => {
    await using run = await aRun();

    await run.mcp(run.callStep({ ...META_2026, ...CLAUDE }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'create_step',
      'user-agent': 'node',
    });

    expect(await run.known()).toMatchObject({ session_id: null, client: 'Claude Code 2.1' });
  });

  it('stay with a call that continues as a task', async () => {
    await using run = await aRun();
    const headers = { 'mcp-protocol-version': '2025-11-25' };

    const { json } = await run.mcp(run.callStep(CODEX, { task: { ttl: 60_000 } }), headers);
    const { taskId } = (json as { result: { task: { taskId: string } } }).result.task;
    await run.mcp({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId } }, headers);

    expect(await run.known()).toMatchObject({ session_id: 'codex session' });
  });

  it('come with the headers of a reporter', async () => {
    await using run = await aRun();

    await run.call(
      `/api/v1/executions/${run.execution_id}/steps`,
      { step_name: 'Build' },
      { 'errand-session': 's%201', 'errand-folder': '%2Fwork', 'errand-branch': 'main', 'errand-source': 'script' },
    );

    expect(await run.known()).toMatchObject({ session_id: 's 1', worktree_path: '/work', branch: 'main' });
    const { steps } = await run.world.ask('list_steps', { execution_id: run.execution_id });
    expect(steps).toMatchObject([{ source: 'script' }]);
  });

  it('never replace a known value', async () => {
    await using run = await aRun();
    await run.world.ask('update_execution_session', { execution_id: run.execution_id, session_id: 'registered' });

    await run.mcp(run.callStep(CODEX), { 'mcp-protocol-version': '2025-06-18' });

    expect(await run.known()).toMatchObject({ session_id: 'registered' });
  });
});
