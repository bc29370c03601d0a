import { a2025Request, a2026Request, INITIALIZE, type Message } from '@errand/mcp/testing';
import { describe, expect, it } from 'vitest';
import { createServed } from '#testing/served';
import { PROFILES } from '#tools/profiles';
import type { JsonObject } from '#transports/json';

const PATHS = ['/mcp', '/mcp/tasker'];

const in2025 =
  (version: string) =>
  (method: string, params: JsonObject = {}): Message => ({
    ...a2025Request(method, params),
    headers: { 'mcp-protocol-version': version },
  });

const REVISIONS = {
  '2025-06-18': in2025('2025-06-18'),
  '2025-11-25': in2025('2025-11-25'),
  '2026-07-28': a2026Request,
};

async function servedAgent() {
  const served = await createServed();
  const { world } = served;
  const { project_id } = await world.ask('admin_add_project', { name: 'Apollo' });
  const { token } = await world.ask('admin_create_agent', {
    name: 'planner',
    owner_id: world.owner.user_id,
    project_ids: [project_id],
    scopes: ['issue:read', 'issue:create'],
  });
  const send = async (path: string, { body, headers }: Message): Promise<Record<string, unknown>> =>
    (await served.call('POST', path, body, { ...headers, authorization: `Bearer ${String(token)}` })).json;
  return { send, project_id: String(project_id), [Symbol.asyncDispose]: served[Symbol.asyncDispose] };
}

describe.each(Object.entries(REVISIONS))('the tracker in %s', (_revision, request) => {
  it.each(PATHS)('[TSK-01, TSK-02] is listed and called at %s by the names of its contract', async (path) => {
    await using agent = await servedAgent();
    const create = {
      name: 'tasker_create_issue',
      arguments: { project_id: agent.project_id, name: 'Land', idempotency_key: 'land-1' },
    };

    const listed = await agent.send(path, request('tools/list'));
    const made = await agent.send(path, request('tools/call', create));
    const found = await agent.send(
      path,
      request('tools/call', { name: 'tasker_search_issues', arguments: { query: 'land' } }),
    );

    const { tools } = listed.result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['tasker_search_issues', 'tasker_get_issue', 'tasker_create_issue']);
    expect(made).toMatchObject({ result: { structuredContent: { issue: { name: 'Land' } } } });
    expect(found).toMatchObject({ result: { structuredContent: { issues: [{ name: 'Land' }] } } });
  });
});

describe('a client that connects to the tracker', () => {
  it('[TSK-01] is answered its initialize and its pings', async () => {
    await using agent = await servedAgent();

    const connected = await agent.send('/mcp/tasker', INITIALIZE);
    const pinged = await agent.send('/mcp/tasker', a2025Request('ping'));

    const { instructions } = connected.result as { instructions: string };
    expect(instructions).toContain(PROFILES.tasker.instructions[0]);
    expect(instructions).toContain('tasker_create_issue');
    expect(instructions).not.toContain('tasker_start_work_session');
    expect(pinged).toMatchObject({ result: {} });
  });

  it('gets its description at the common address too, without a prefix that no tool has', async () => {
    await using agent = await servedAgent();

    const { result } = await agent.send('/mcp', INITIALIZE);

    const { instructions } = result as { instructions: string };
    expect(instructions).toContain(`${PROFILES.tasker.title}: ${PROFILES.tasker.instructions[0]}`);
    expect(instructions).not.toContain('(*)');
    expect(instructions.length).toBeLessThanOrEqual(2_000);
  });
});
