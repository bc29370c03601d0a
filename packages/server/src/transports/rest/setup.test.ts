import { describe, expect, it } from 'vitest';
import { MINIMUM_INSTRUCTION } from '#domain/testing/minimum-instruction';
import { ask, createServed } from '#testing/served';
import { createSetup, Setup } from './setup.ts';

const PATH = '/api/v1/agent-session/setup';

type Served = Awaited<ReturnType<typeof createServed>>;

/** Makes a token of an agent with these scopes in a new project. */
async function agentToken({ world }: Served, scopes: readonly string[]): Promise<string> {
  const { project_id } = await world.ask('admin_add_project', { name: 'Apollo' });
  const owner_id = world.owner.user_id;
  const made = await world.ask('admin_create_agent', { name: 'narrow', owner_id, project_ids: [project_id], scopes });
  return String(made.token);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function setupOf(served: Served, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Setup> {
  const said = await served.call('GET', PATH, undefined, { ...bearer(token), ...headers });
  expect(said.status).toBe(200);
  return said.json as Setup;
}

async function toolsAt(served: Served, path: string, token: string): Promise<readonly unknown[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const said = await served.call('POST', path, body, { ...bearer(token), 'mcp-protocol-version': '2025-06-18' });
  const { tools } = said.json.result as { tools: Record<string, unknown>[] };
  return tools.map(({ name, title, description }) => ({ name, title, description }));
}

const decoded = (link: string): unknown =>
  JSON.parse(Buffer.from(new URL(link).searchParams.get('config') ?? '', 'base64').toString());

describe('the set-up of an agent', () => {
  it('shows a person what an agent with some scopes would see, and never more than the caller', async () => {
    await using served = await createServed();
    const reader = await agentToken(served, ['board:read']);
    const seen = async (token: string, scopes: string) => {
      const said = await served.call('GET', `${PATH}?scopes=${scopes}`, undefined, bearer(token));
      return (said.json as Setup).tools.map(({ name }) => name).toSorted();
    };
    const own = (await setupOf(served, reader)).tools.map(({ name }) => name).toSorted();

    expect(own.length).toBeGreaterThan(0);
    expect(await seen(reader, 'board:read,board:write')).toEqual(own);
    expect(await seen(reader, 'board:write')).toEqual([]);
  });

  it('[TSK-46] gives the address of the request, with a placeholder for the token', async () => {
    await using served = await createServed();
    const entry = {
      type: 'http',
      url: `${served.url}/mcp`,
      headers: { Authorization: 'Bearer <agent-token>' },
    };

    const setup = await setupOf(served, await agentToken(served, ['issue:read']));

    expect(setup.mcp).toEqual({
      url: entry.url,
      profiles: [{ profile: 'tasker', title: expect.any(String), url: `${served.url}/mcp/tasker` }],
      config: { mcpServers: { errand: entry } },
    });
    expect(decoded(setup.cursor_link)).toEqual(entry);
    expect(setup.vscode.servers.errand.headers.Authorization).toBe(`Bearer \${input:${setup.vscode.inputs[0]?.id}}`);
    expect(setup.clients.find(({ client }) => client === 'claude')?.commands).toEqual([
      `claude mcp add -s user --transport http errand ${entry.url} --header "Authorization: Bearer <agent-token>"`,
    ]);
    expect(
      setup.clients.flatMap(({ commands }) => commands).filter((line) => line.includes('<agent-token>')),
    ).toHaveLength(setup.clients.length);
  });

  it.each([[['issue:read']], [['workspace:read', 'issue:create', 'todo:read']], [['issue:comment', 'todo:write']]])(
    '[TSK-02, TSK-46] lists the tools that tools/list lists, for %j',
    async (scopes) => {
      await using served = await createServed();
      const token = await agentToken(served, scopes);

      const { tools, mcp } = await setupOf(served, token);

      expect(tools.length).toBeGreaterThan(0);
      expect(tools).toEqual(await toolsAt(served, '/mcp', token));
      for (const { url } of mcp.profiles) {
        expect(await toolsAt(served, new URL(url).pathname, token)).not.toEqual([]);
      }
    },
  );

  it('leaves out tools for people, also for callers who may use them', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({ scopes: ['admin', 'todo:read'] });

    const { tools, mcp } = await setupOf(served, String(token));

    expect(tools.map(({ name }) => name)).toEqual(['todo_list_tasks']);
    expect(mcp.profiles.map(({ profile }) => profile)).toEqual(['todo']);
  });

  it('[TSK-46] contains no part of the token, wherever else it was sent', async () => {
    await using served = await createServed();
    const token = await agentToken(served, ['workspace:read', 'issue:read', 'issue:create', 'todo:read']);
    const secret = token.slice(token.lastIndexOf('_') + 1);
    const runs = Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6));

    const said = await served.call('GET', `${PATH}?token=${token}`, undefined, {
      ...bearer(token),
      cookie: `token=${token}`,
      'x-request-id': token,
      'x-forwarded-proto': token,
      'x-forwarded-host': token,
    });
    const answered = [
      said.text,
      JSON.stringify(said.headers),
      JSON.stringify(decoded(String(said.json.cursor_link))),
    ].join();

    expect(said.status).toBe(200);
    expect(secret.length).toBeGreaterThan(25);
    expect(runs.filter((run) => answered.includes(run))).toEqual([]);
  });

  it('[TSK-04, TSK-46] answers 401 without a token, with a wrong one and with a revoked one', async () => {
    await using served = await createServed();
    const { token, token_id } = await served.world.token({});
    await served.world.ask('admin_revoke_token', { token_id });

    const answers = [
      await ask(`${served.url}${PATH}`),
      await ask(`${served.url}${PATH}`, { headers: bearer('errand_agent_wrong') }),
      await ask(`${served.url}${PATH}`, { headers: bearer(String(token)) }),
    ];

    for (const said of answers) {
      expect(said).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated' } } });
      expect(said.json).not.toHaveProperty('tools');
    }
  });

  it('follows the Host and the proxy’s header for HTTPS', async () => {
    await using served = await createServed({ allowed_hosts: ['tasks.example.com'] });
    const token = await agentToken(served, ['issue:read']);

    const setup = await setupOf(served, token, { host: 'tasks.example.com', 'x-forwarded-proto': 'https' });
    const foreign = await served.call('GET', PATH, undefined, { ...bearer(token), host: 'evil.example.com' });

    expect(setup.mcp.url).toBe('https://tasks.example.com/mcp');
    expect(foreign).toMatchObject({ status: 403, json: { error: { code: 'forbidden_host' } } });
    expect(foreign.text).not.toContain('evil');
  });

  it('accepts GET only, and must not be cached', async () => {
    await using served = await createServed();

    const said = await served.call('GET', PATH);
    const posted = await served.call('POST', PATH, {});

    expect(said.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(posted).toMatchObject({ status: 405, json: { error: { code: 'method_not_allowed' } } });
  });

  it('answers exactly what the OpenAPI document says', async () => {
    await using served = await createServed();

    const said = await served.call('GET', PATH);
    const document = await ask(`${served.url}/openapi.json`);

    expect(Setup.parse(said.json)).toEqual(said.json);
    expect(document.json).toHaveProperty(
      ['paths', '/agent-session/setup', 'get', 'operationId'],
      'agent_session_setup',
    );
  });

  it('names tools as /mcp does where it serves one profile', async () => {
    await using served = await createServed();
    const { gateway } = served.world;
    const caller = await gateway.authenticate(await agentToken(served, ['todo:read', 'issue:read']));

    const setup = createSetup({ gateway, profile: 'todo' })(caller, 'http://localhost:8001');

    expect(setup.tools.map(({ name }) => name)).toEqual(['list_tasks']);
    expect(setup.mcp.profiles.map(({ profile }) => profile)).toEqual(['todo', 'tasker']);
    expect(setup.agents_md).not.toContain('Tasker');
  });
});

describe('the text for AGENTS.md', () => {
  it('[TSK-45, TSK-46] holds the minimum lines as they are, between markers', async () => {
    await using served = await createServed();

    const { agents_md } = await setupOf(served, await agentToken(served, ['workspace:read', 'issue:read']));

    expect(agents_md).toMatch(/^<!-- errand -->\n[\s\S]*\n<!-- \/errand -->\n$/);
    expect(agents_md.split('<!--')).toHaveLength(3);
    for (const line of MINIMUM_INSTRUCTION) expect(agents_md.split('\n')).toContain(`- ${line}`);
  });

  it('advises no call of a tool that the token does not allow', async () => {
    await using served = await createServed();

    const { agents_md, tools } = await setupOf(served, await agentToken(served, ['workspace:read', 'issue:read']));
    const wide = await setupOf(served, await agentToken(served, ['issue:comment', 'issue:structured_blocks:write']));

    const named = [...agents_md.matchAll(/tasker_\w+/g)].map(([name]) => name);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
    expect(wide.agents_md).toContain('tasker_finish_work_session');
  });

  it('describes todo lists by the names of /mcp, and no tracker that is out of reach', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({});

    const { agents_md } = await setupOf(served, String(token));

    expect(agents_md).toContain('todo_complete_task');
    expect(agents_md).not.toContain('Tasker');
  });

  it('shows an admin what an agent sees: its tools and its instructions, and nobody else', async () => {
    await using served = await createServed();
    const { world } = served;
    const token = await agentToken(served, ['board:read', 'board:write']);
    const { agents } = (await world.ask('admin_list_agents', {})) as { agents: { agent_id: string }[] };
    const agent_id = agents[0]?.agent_id ?? '';
    const admin = String((await world.token({ scopes: ['admin'] })).token);
    const seen = (who: string, id = agent_id) => served.call('GET', `${PATH}?agent_id=${id}`, undefined, bearer(who));

    const own = await setupOf(served, token);
    const [byAdmin, byAgent, unknown] = [await seen(admin), await seen(token), await seen(admin, world.owner.user_id)];
    await world.ask('admin_revoke_agent', { agent_id });

    expect(byAdmin.json).toEqual(own);
    expect(own.instructions).toContain('next_task');
    expect(own.instructions).not.toContain('start_task_attempt');
    expect([byAgent.status, unknown.status, (await seen(admin)).status]).toEqual([403, 404, 404]);
  });
});
