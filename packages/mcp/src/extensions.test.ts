import { describe, expect, it } from 'vitest';
import { extensionOf } from './extensions.ts';
import type { ToolShape } from './host.ts';
import { createMemorySessions } from './memory-sessions.ts';
import { aHost, TOOLS } from './testing/a-host.ts';
import { a2025Request, a2026Request, INITIALIZE, type Message } from './testing/messages.ts';
import { openHttp, type TestHttp } from './testing/open-http.ts';

const EXTENSION = 'example.com/pages';
const DECLARED = { extensions: { [EXTENSION]: { kinds: ['a'] } } };
const PAGE = { uri: 'page://a', name: 'a' };
const MORE: readonly ToolShape[] = [...TOOLS, { name: 'turn', description: 'Turns.', inputSchema: { type: 'object' } }];

const host = aHost({
  tools: { ...aHost().tools, list: (_caller, capabilities) => (extensionOf(capabilities, EXTENSION) ? MORE : TOOLS) },
  resources: {
    extension: EXTENSION,
    list: () => [PAGE],
    templates: () => [],
    read: async (uri) => ({ kind: 'contents', contents: [{ uri, text: 'words' }] }),
  },
});

type Result = Readonly<Record<string, unknown>>;

async function resultOf(http: TestHttp, message: Message, headers?: Readonly<Record<string, string>>): Promise<Result> {
  const { json } = await http.send(message, headers);
  return (json as { readonly result: Result }).result;
}

/** What a client of 2025 sees of the server when it declares these capabilities. */
async function seen2025(http: TestHttp, capabilities: object): Promise<Result> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'tester', version: '1' } };
  const opened = await http.send({ ...INITIALIZE, body: { ...INITIALIZE.body, params } });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const ask = (method: string, asked: Result = {}) => resultOf(http, a2025Request(method, asked), session);
  return {
    capabilities: (opened.json as { readonly result: Result }).result.capabilities,
    ...(await ask('tools/list')),
    ...(await ask('resources/list')),
    ...(await ask('resources/read', { uri: PAGE.uri })),
  };
}

/** The same for a client of 2026. */
async function seen2026(http: TestHttp, capabilities: object): Promise<Result> {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const ask = (method: string, asked: Result = {}) => resultOf(http, a2026Request(method, asked, meta));
  return {
    ...(await ask('server/discover')),
    ...(await ask('tools/list')),
    ...(await ask('resources/list')),
    ...(await ask('resources/read', { uri: PAGE.uri })),
  };
}

describe.each([
  ['2025', seen2025],
  ['2026', seen2026],
] as const)('resources of an extension in %s', (_generation, seen) => {
  it('[M10.13] are offered to a client that declares it', async () => {
    await using http = await openHttp(host, { sessions: createMemorySessions() });

    const { capabilities, tools, resources } = await seen(http, DECLARED);

    expect(capabilities).toMatchObject({ resources: {}, extensions: { [EXTENSION]: {} } });
    expect(resources).toEqual([PAGE]);
    expect(tools).toEqual(MORE);
  });

  it('[M10.13] are hidden from other clients, which can still read them', async () => {
    await using http = await openHttp(host, { sessions: createMemorySessions() });

    const { capabilities, tools, resources, contents } = await seen(http, { extensions: { 'example.com/other': {} } });

    expect(capabilities).not.toHaveProperty('resources');
    expect(JSON.stringify(capabilities)).not.toContain(EXTENSION);
    expect(resources).toEqual([]);
    expect(tools).toEqual(TOOLS);
    expect(contents).toEqual([{ uri: PAGE.uri, text: 'words' }]);
  });
});
