import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBoard } from '#testing/attempts';
import { createWorld } from '#testing/world';
import { createCatalogHost } from './catalog-host.ts';
import { createViews, showsViews } from './views.ts';

const MIME = 'text/html;profile=mcp-app';
const CHAT = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME] } } };

/** The product with views whose pages are a word each. */
async function aChat() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'errand-views-'));
  for (const name of ['board', 'task']) writeFileSync(join(folder.path, `${name}.html`), name);
  const world = await createWorld();
  const caller = await world.gateway.local();
  const host = createCatalogHost({
    gateway: world.gateway,
    profile: 'board',
    transport: 'mcp-http',
    version: '1',
    views: createViews(folder.path),
  });
  const call = (name: string, args: object, client_capabilities: object) =>
    // The context of the wire layer; these tools use nothing else of it.
    host.tools.call(name, { ...args }, {
      caller,
      client: null,
      client_capabilities,
      meta: {},
      protocol_version: '2026-07-28',
    } as never);
  return {
    world,
    call,
    resources: host.resources,
    list: (capabilities: object) => host.tools.list(caller, { ...capabilities }),
    [Symbol.asyncDispose]: async () => {
      await world.store.close();
      folder.remove();
    },
  };
}

describe('the views of a chat', () => {
  it('are named at the tools that show them, to a client that shows views', async () => {
    await using chat = await aChat();

    const uiOf = (name: string, capabilities: object) =>
      Object(chat.list(capabilities).find((tool) => tool.name === name)?._meta).ui;

    expect(uiOf('list_tasks', CHAT)).toEqual({ resourceUri: 'ui://errand/board.html' });
    expect(uiOf('get_task', CHAT)).toEqual({ resourceUri: 'ui://errand/task.html' });
    expect(uiOf('show_board', CHAT)).toEqual({ visibility: ['app'] });
    expect(uiOf('list_tasks', {})).toBeUndefined();
    expect(chat.list({}).map(({ name }) => name)).not.toContain('show_board');
    expect(JSON.stringify(chat.list({}))).not.toContain('ui://');
    expect(chat.list(CHAT)).toBe(chat.list(CHAT));
  });

  it('may call what agents do not see, and nothing that only people may do', async () => {
    await using chat = await aChat();
    await aBoard(chat.world);

    const answer = await chat.call('show_board', { project_id: 'SHO' }, CHAT);

    expect(answer).toMatchObject({ kind: 'json', failed: false, json: expect.stringContaining('"SHO-1"') });
    expect(chat.call('show_board', { project_id: 'SHO' }, {})).toBeUndefined();
    expect(chat.call('list_inbox', {}, CHAT)).toBeUndefined();
  });

  it('are read as pages', async () => {
    await using chat = await aChat();
    const read = (uri: string) => chat.resources?.read(uri, {} as never);

    expect(await read('ui://errand/task.html')).toMatchObject({
      contents: [{ uri: 'ui://errand/task.html', mimeType: MIME, text: 'task' }],
    });
    expect(read('ui://errand/../board.html')).toBeUndefined();
    expect(chat.resources?.list({} as never)).toMatchObject([
      { uri: 'ui://errand/board.html', mimeType: MIME },
      { uri: 'ui://errand/task.html', mimeType: MIME },
    ]);
  });

  it.each([
    [CHAT, true],
    [{ extensions: { 'io.modelcontextprotocol/ui': {} } }, true],
    [{ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/plain'] } } }, false],
    [{ extensions: { 'io.modelcontextprotocol/ui': true } }, false],
    [{ extensions: {} }, false],
    [{}, false],
  ])('are shown by a client with the capabilities %j: %s', (capabilities, shows) => {
    expect(showsViews({ ...capabilities })).toBe(shows);
  });
});
