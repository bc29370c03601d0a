import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createRemoteTools } from '#clients/remote-tools';
import { createServed } from '#testing/served';
import { catalog, type Tool } from '#tools/catalog';
import { localCalls } from './local-calls.ts';
import { remoteCalls } from './remote-calls.ts';

const SAME_VERSION = '1.2.3';

const toolNamed = (name: string): Tool => {
  const tool = catalog.find(({ full_name }) => full_name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

async function aServer(scopes: readonly string[] = ['todo:read', 'todo:write', 'board:read', 'execution:report']) {
  const served = await createServed();
  const { token } = await served.world.token({ scopes });
  const caller = await served.world.gateway.authenticate(String(token));
  const open = (given: string | null, version = SAME_VERSION) =>
    remoteCalls(createRemoteTools({ url: served.url, token: given }), version);
  return {
    served,
    open,
    remote: open(String(token)),
    local: localCalls(served.world.gateway, caller),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

/** A server that is no Errand. */
async function aStranger(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    calls: remoteCalls(createRemoteTools({ url, token: 'errand_user_secret' }), SAME_VERSION),
    url,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the command line on a server elsewhere', () => {
  it('[L-CLI] gets the answers that it gets on the data of this machine', async () => {
    await using site = await aServer();
    await site.remote.ask('executions', 'create_execution', { name: 'A run' });

    for (const [name, input] of [
      ['todo_list_tasks', { user_id: 'me' }],
      ['list_executions', {}],
      ['list_projects', { limit: 1 }],
    ] as const) {
      const [there, here] = [
        await site.remote.call(toolNamed(name), input, 'command'),
        await site.local.call(toolNamed(name), input, 'command'),
      ];
      // The server at hand also knows the text as a JSON string, where the answer is kept.
      expect(here, name).toMatchObject(there);
    }
  });

  it('[L-CLI] gets plain answers and refusals from tools that wrap them for agents', async () => {
    await using site = await aServer();
    const { id } = await site.remote.ask('executions', 'create_execution', { name: 'A run' });
    const tool = toolNamed('create_step');

    const created = await site.remote.call(tool, { execution_id: id, step_name: 'Build' }, 'command');
    const refused = await site.remote.call(tool, { execution_id: 'x', step_name: 'Build' }, 'command');

    expect(JSON.parse(created.ok ? created.json : '{}')).toMatchObject({ step_name: 'Build', seq: 1 });
    expect(refused).toMatchObject({ ok: false, status: 404, error: { code: 'not_found' } });
  });

  it.each(['everyday', 'command', 'json'] as const)('is refused in the words of the %s commands', async (wording) => {
    await using site = await aServer();
    const tool = toolNamed('get_task');

    const [there, here] = [
      await site.remote.call(tool, { task_id: 'x' }, wording),
      await site.local.call(tool, { task_id: 'x' }, wording),
    ];

    expect(there).toMatchObject({ ok: false, status: 404 });
    expect(there.ok || here.ok || [there.error.message, there.error.hint]).toEqual(
      here.ok || [here.error.message, here.error.hint],
    );
  });

  it('[L-CLI] says that a token does not work, or that one is wanted, and how to log in', async () => {
    await using site = await aServer();

    const wrong = await site.open('errand_user_wrong').call(toolNamed('list_projects'), {}, 'everyday');
    const none = await site.open(null).call(toolNamed('list_projects'), {}, 'everyday');

    const hint = `Log in: errand login ${site.served.url}. Or set ERRAND_TOKEN.`;
    expect(wrong).toMatchObject({ status: 401, error: { message: expect.stringContaining('does not work at'), hint } });
    expect(none).toMatchObject({ status: 401, error: { message: expect.stringContaining('wants a token'), hint } });
  });

  it('[L-CLI] names both versions when the server lacks a tool or a field', async () => {
    await using site = await aServer();
    const { token } = await site.served.world.token({ scopes: ['board:read'] });
    const newer = site.open(String(token), '9.0.0');
    const unknown = { ...toolNamed('list_projects'), full_name: 'tool_of_tomorrow' };

    const tool = await newer.call(unknown, {}, 'everyday');
    const field = await newer.call(toolNamed('list_projects'), { colour: 'red' }, 'everyday');
    const same = await site.remote.call(unknown, {}, 'everyday');

    const versions = `This command line is version 9.0.0, the server at ${site.served.url} is version 1.2.3.`;
    expect(tool).toMatchObject({ error: { code: 'unknown_tool', hint: versions } });
    expect(field).toMatchObject({ status: 400, error: { hint: expect.stringContaining(versions) } });
    expect(same.ok || same.error.hint).toBeUndefined();
  });

  it('[L-CLI] says that nobody answers', async () => {
    const stranger = await aStranger(() => {});
    await stranger[Symbol.asyncDispose]();

    const call = stranger.calls.call(toolNamed('list_projects'), {}, 'everyday');

    await expect(call).rejects.toMatchObject({
      code: 'not_reachable',
      message: expect.stringContaining(`No Errand answers at ${stranger.url}`),
    });
  });

  it('does not follow a redirect, which would give the token away', async () => {
    let asked = 0;
    await using stranger = await aStranger((_, res) => {
      asked += 1;
      res.writeHead(307, { location: 'http://example.com/' }).end();
    });

    const call = stranger.calls.call(toolNamed('list_projects'), {}, 'everyday');

    await expect(call).rejects.toMatchObject({
      code: 'not_reachable',
      message: expect.stringContaining('example.com'),
    });
    expect(asked).toBe(1);
  });

  it('says that a page is no answer of Errand', async () => {
    await using stranger = await aStranger((_, res) => res.writeHead(200).end('<h1>It works</h1>'));

    const answered = await stranger.calls.call(toolNamed('list_projects'), {}, 'everyday');

    expect(answered).toMatchObject({
      status: 503,
      error: { code: 'not_reachable', message: `${stranger.url} does not answer as Errand does: it says 200.` },
    });
  });

  it('throws the refusal of a typed call', async () => {
    await using site = await aServer(['todo:read']);

    await expect(site.remote.ask('board', 'list_projects', {})).rejects.toMatchObject({ name: 'Refused', status: 403 });
  });
});
