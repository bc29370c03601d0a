import { describe, expect, it } from 'vitest';
import { isObject } from '#json';
import { a2025Request, a2026Request, INITIALIZE, WITH_TASKS } from '#testing/messages';
import { codeOf, openHttp } from '#testing/open-http';
import { assistant, user } from './content.ts';
import { createMcpServer, type ServerOptions } from './create-server.ts';
import { prompt } from './prompt.ts';
import { resource, resourceTemplate } from './resource.ts';
import { tool } from './tool.ts';

const COLOURS = ['red', 'rose', 'green'];

const serverWith = (parts: Partial<ServerOptions<string>>) =>
  createMcpServer<string>({ name: 'test', version: '1.0.0', ...parts });

const RESOURCES = [
  resource({ uri: 'note://one', name: 'one', mime_type: 'text/plain', read: () => 'First note.' }),
  resource({ uri: 'note://bytes', name: 'bytes', read: () => new Uint8Array([104, 105]) }),
  resourceTemplate({
    uri_template: 'file:///{folder}/{+path}',
    name: 'files',
    read: ({ folder, path }) => (folder === 'missing' ? undefined : `${folder} ${path}`),
    complete: { folder: (typed) => ['home', 'tmp'].filter((name) => name.startsWith(typed)) },
  }),
];

const PROMPTS = [
  prompt({
    name: 'paint',
    description: 'Paints.',
    arguments: {
      colour: { required: true, complete: (typed) => COLOURS.filter((colour) => colour.startsWith(typed)) },
      style: { description: 'How.', complete: (_typed, { colour = '' }) => [`dark ${colour}`] },
    },
    run: ({ colour, style = 'plain' }) => [user(`Paint it ${colour}, ${style}.`), assistant('Done.')],
  }),
  prompt({ name: 'hello', run: () => 'Say hello.' }),
];

describe('a server', () => {
  it('[M10.6] offers only its configured parts', async () => {
    await using http = await openHttp(serverWith({ instructions: 'Ask.', tools: [] }));
    await using full = await openHttp(serverWith({ resources: RESOURCES, prompts: PROMPTS }));

    expect((await http.send(INITIALIZE)).json).toMatchObject({
      result: { instructions: 'Ask.', serverInfo: { name: 'test' } },
    });
    const capabilities = async (from: typeof http) =>
      Object.keys(((await from.send(INITIALIZE)).json as { result: { capabilities: object } }).result.capabilities);
    expect(await capabilities(http)).toEqual(['tools', 'logging']);
    expect(await capabilities(full)).toEqual(['tools', 'resources', 'prompts', 'completions', 'logging']);
    expect(codeOf(await http.send(a2025Request('prompts/list')))).toBe(-32601);
  });

  it('[M10.7] lists and reads resources and templates', async () => {
    await using http = await openHttp(serverWith({ resources: RESOURCES }));
    const read = async (uri: string) => (await http.send(a2026Request('resources/read', { uri }))).json;

    expect((await http.send(a2025Request('resources/list'))).json).toMatchObject({
      result: { resources: [{ uri: 'note://one', name: 'one', mimeType: 'text/plain' }, { uri: 'note://bytes' }] },
    });
    expect((await http.send(a2025Request('resources/templates/list'))).json).toMatchObject({
      result: { resourceTemplates: [{ uriTemplate: 'file:///{folder}/{+path}', name: 'files' }] },
    });
    expect(await read('note://one')).toMatchObject({
      result: { contents: [{ uri: 'note://one', mimeType: 'text/plain', text: 'First note.' }] },
    });
    expect(await read('note://bytes')).toMatchObject({ result: { contents: [{ uri: 'note://bytes', blob: 'aGk=' }] } });
    expect(await read('file:///my%20home/a/b.txt')).toMatchObject({
      result: { contents: [{ text: 'my home a/b.txt' }] },
    });
  });

  it.each(['note://two', 'file:///missing/a', 'file:///a', 'file:///%/a'])(
    '[M10.7] finds no resource at %s',
    async (uri) => {
      await using http = await openHttp(serverWith({ resources: RESOURCES }));

      expect(codeOf(await http.send(a2026Request('resources/read', { uri })))).toBe(-32602);
    },
  );

  it('[M10.8] lists prompts and writes their messages', async () => {
    await using http = await openHttp(serverWith({ prompts: PROMPTS }));
    const get = async (params: object) => await http.send(a2025Request('prompts/get', { ...params }));

    expect((await http.send(a2025Request('prompts/list'))).json).toMatchObject({
      result: {
        prompts: [
          {
            name: 'paint',
            arguments: [
              { name: 'colour', required: true },
              { name: 'style', description: 'How.' },
            ],
          },
          { name: 'hello' },
        ],
      },
    });
    expect((await get({ name: 'paint', arguments: { colour: 'red' } })).json).toMatchObject({
      result: {
        description: 'Paints.',
        messages: [
          { role: 'user', content: { type: 'text', text: 'Paint it red, plain.' } },
          { role: 'assistant', content: { type: 'text', text: 'Done.' } },
        ],
      },
    });
    expect((await get({ name: 'hello' })).json).toMatchObject({
      result: { messages: [{ content: { text: 'Say hello.' } }] },
    });
    expect(codeOf(await get({ name: 'paint' }))).toBe(-32602);
    expect(codeOf(await get({ name: 'paint', arguments: { colour: 7 } }))).toBe(-32602);
  });

  it('[M10.9] suggests values for arguments of prompts and variables of templates', async () => {
    await using http = await openHttp(serverWith({ resources: RESOURCES, prompts: PROMPTS }));
    const complete = async (ref: object, name: string, value: string, context?: object) => {
      const { json } = await http.send(
        a2025Request('completion/complete', { ref, argument: { name, value }, context }),
      );
      const { result, error } = json as { result?: { completion: { values: unknown } }; error?: { code: number } };
      return result?.completion.values ?? error?.code;
    };
    const paint = { type: 'ref/prompt', name: 'paint' };

    expect(await complete(paint, 'colour', 'r')).toEqual(['red', 'rose']);
    expect(await complete(paint, 'style', '', { arguments: { colour: 'red' } })).toEqual(['dark red']);
    expect(await complete(paint, 'toString', '')).toEqual([]);
    expect(await complete({ type: 'ref/resource', uri: 'file:///{folder}/{+path}' }, 'folder', 't')).toEqual(['tmp']);
    expect(await complete({ type: 'ref/prompt', name: 'unknown' }, 'colour', 'r')).toBe(-32602);
  });

  it('[M10.10] runs the work of a tool as a task that only its caller finds', async () => {
    const count = tool({
      name: 'count',
      description: 'Counts.',
      begun: 'Counting.',
      work: async (_input, task) => {
        await task.progress(1, 1);
        return `counted for ${task.owner_id}`;
      },
    });
    await using server = serverWith({ tools: [count], tasks: { poll_interval_ms: 10 } });
    await using http = await openHttp(server);
    const ask = async (method: string, params: object, caller = 'anna') =>
      (await http.send(a2026Request(method, { ...params }, WITH_TASKS), { 'x-caller': caller })).json as Record<
        string,
        never
      >;

    const made = (await ask('tools/call', { name: 'count' })).result as { taskId: string } | undefined;
    const taskId = made?.taskId ?? '';
    const { owner_id } = (await server.task_runtime?.list('sub:anna'))?.tasks[0] ?? {};
    await server.task_runtime?.wait(owner_id ?? '', taskId);

    expect(made).toMatchObject({ resultType: 'task', status: 'working' });
    expect(await ask('tasks/get', { taskId })).toMatchObject({
      result: { status: 'completed', result: { content: [{ text: `counted for ${owner_id}` }] } },
    });
    expect(await ask('tasks/get', { taskId }, 'bert')).toMatchObject({ error: { code: -32602 } });
  });

  it('[M10.10] lists which tools may or must run as tasks', async () => {
    const run = () => 'ran';
    const work = () => 'worked';
    await using server = serverWith({
      tools: [
        tool({ name: 'plain', description: 'Runs.', run }),
        tool({ name: 'both', description: 'Runs or works.', run, work }),
        tool({ name: 'long', description: 'Works.', work }),
      ],
    });
    await using http = await openHttp(server);

    const { json } = await http.send(a2025Request('tools/list'));

    const { tools } = (json as { result: { tools: { execution?: object }[] } }).result;
    expect(tools.map(({ execution }) => (isObject(execution) ? execution.taskSupport : undefined))).toEqual([
      undefined,
      'optional',
      'required',
    ]);
  });
});
