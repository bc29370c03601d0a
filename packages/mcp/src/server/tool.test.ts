import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { elicitation } from '#input-requests';
import type { JsonObject } from '#json';
import { a2025Request, a2026Request, type Message } from '#testing/messages';
import { openHttp } from '#testing/open-http';
import { content, failure, image, text } from './content.ts';
import { createMcpServer } from './create-server.ts';
import { jsonSchema } from './standard-schema.ts';
import { type Tool, tool } from './tool.ts';

const add = tool({
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  output: z.object({ sum: z.number() }),
  annotations: { readOnlyHint: true },
  run: ({ a, b }) => ({ sum: a + b }),
});

const serverOf = (...tools: readonly Tool<unknown>[]) => createMcpServer({ name: 'test', version: '1.0.0', tools });

async function call(
  one: Tool<unknown>,
  args: object,
  send: (name: string, params: JsonObject) => Message = a2025Request,
) {
  await using http = await openHttp(serverOf(one));
  const params = { name: one.shape.name, arguments: args };
  return { answer: await http.send(send('tools/call', params)), reported: http.reported };
}

type Then<Value> = (resolve: (value: Value | Promise<Value>) => void, reject: (error: Error) => void) => void;

/** An object with `then` that is no promise: some libraries return such objects. */
const aThenable = <Value>(then: Then<Value>): Promise<Value> => ({ then }) as unknown as Promise<Value>;

describe('a tool', () => {
  it('[M10.1] is listed with the JSON Schemas of its input and output', async () => {
    await using http = await openHttp(serverOf(add));

    const { json } = await http.send(a2025Request('tools/list'));

    expect(json).toMatchObject({
      result: {
        tools: [
          {
            name: 'add',
            title: 'Add',
            description: 'Adds two numbers.',
            inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
            outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
            annotations: { readOnlyHint: true },
          },
        ],
      },
    });
  });

  it.each([
    ['2025', a2025Request],
    ['2026', a2026Request],
  ])(
    '[M10.1] is run with the arguments as its schema gives them, and answers structured content in %s',
    async (_, send) => {
      const { answer } = await call(add, { a: 2 }, send);

      const result = { structuredContent: { sum: 3 }, content: [{ type: 'text', text: '{"sum":3}' }] };
      expect(answer).toMatchObject({ status: 200, json: { result } });
    },
  );

  it('[M10.2] gives the model the issues of invalid arguments, and does not run', async () => {
    let runs = 0;
    const counted = tool({
      name: 'count',
      description: 'Counts.',
      input: z.object({ a: z.number() }),
      run: () => String(++runs),
    });

    const { answer, reported } = await call(counted, { a: 'x' });

    const said = expect.stringMatching(/^Invalid arguments\.\na: .*number/);
    expect(answer.json).toMatchObject({ result: { isError: true, content: [{ type: 'text', text: said }] } });
    expect([runs, reported]).toEqual([0, []]);
  });

  it('[M10.2] accepts schemas with asynchronous validation', async () => {
    const input = z.object({ a: z.string().refine(async (value) => value === 'yes', 'Say yes.') });
    const slow = tool({ name: 'slow', description: 'Checks later.', input, run: ({ a }) => a });

    expect((await call(slow, { a: 'yes' })).answer.json).toMatchObject({ result: { content: [{ text: 'yes' }] } });
    expect((await call(slow, { a: 'no' })).answer.json).toMatchObject({
      result: { isError: true, content: [{ text: 'Invalid arguments.\na: Say yes.' }] },
    });
  });

  it('[M10.3] fails without details when its answer does not match its output schema', async () => {
    const wrong = tool({
      name: 'wrong',
      description: 'Answers wrongly.',
      output: z.object({ sum: z.number() }),
      run: () => ({ sum: 'secret' as never }),
    });

    const { answer, reported } = await call(wrong, {});

    expect(answer.json).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
    expect(reported).toMatchObject([{ message: expect.stringContaining('sum: ') }]);
  });

  it('[M10.4] gives the same answer whether it returns a value, a promise or another thenable', async () => {
    const output = z.object({ sum: z.number() });
    const runs = [
      () => ({ sum: 3 }),
      async () => ({ sum: 3 }),
      () => aThenable<{ sum: number }>((resolve) => void resolve({ sum: 3 })),
      () => aThenable<{ sum: number }>((resolve) => void setImmediate(() => resolve(Promise.resolve({ sum: 3 })))),
      () =>
        Object.assign(
          () => {},
          aThenable<{ sum: number }>((resolve) => void resolve({ sum: 3 })),
        ),
    ];
    const results = await Promise.all(
      runs.map((run) => call(tool({ name: 'add', description: 'Adds.', output, run }), {})),
    );

    const expected = { result: { structuredContent: { sum: 3 } } };
    expect(results.map(({ answer }) => answer.json)).toMatchObject(runs.map(() => expected));
  });

  it('[M10.5] asks from an asynchronous handler as well, and fails without details at once or later', async () => {
    const question = elicitation('Sure?', { type: 'object', properties: {} });
    const asking = tool({ name: 'ask', description: 'Asks.', run: async (_, { ask }) => String(ask({ a: question })) });
    const broken = [
      () => {
        throw new Error('secret');
      },
      async () => await Promise.reject(new Error('secret')),
      () => aThenable<string>((_, reject) => void setImmediate(() => reject(new Error('secret')))),
    ].map((run) => tool({ name: 'break', description: 'Breaks.', run }));
    await using http = await openHttp(serverOf(asking));
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

    const { json } = await http.send(a2026Request('tools/call', { name: 'ask' }, meta));
    const failures = await Promise.all(broken.map((one) => call(one, {})));

    expect(json).toMatchObject({ result: { resultType: 'input_required', inputRequests: { a: {} } } });
    const error = { code: -32603, message: 'Internal error' };
    expect(failures.map(({ answer }) => answer.json)).toMatchObject(broken.map(() => ({ error })));
    expect(failures.map(({ reported }) => reported)).toMatchObject(broken.map(() => [{ message: 'secret' }]));
  });

  it('[M10.4] answers with text, with content, with nothing, or with a failure', async () => {
    const answers = {
      text: 'Hello.',
      nothing: undefined,
      content: content(text('a'), image('aGk=', 'image/png')),
      no: failure('No.'),
    };
    const said = tool({
      name: 'say',
      description: 'Says.',
      input: jsonSchema<{ readonly what: keyof typeof answers }>({ type: 'object' }),
      run: ({ what }) => answers[what],
    });

    const results = await Promise.all(Object.keys(answers).map((what) => call(said, { what })));

    expect(results.map(({ answer }) => (answer.json as { result: object }).result)).toEqual([
      { content: [{ type: 'text', text: 'Hello.' }] },
      { content: [] },
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
      },
      { content: [{ type: 'text', text: 'No.' }], isError: true },
    ]);
  });

  it('[M10.5] asks in rounds, and gets all answers of the earlier rounds', async () => {
    const form = (message: string) => elicitation(message, { type: 'object', properties: {} });
    const asking = tool({
      name: 'ask',
      description: 'Asks.',
      run: (_input, { ask }) => {
        const { first } = ask({ first: form('First?') });
        const { second } = ask({ second: form('Second?') });
        return JSON.stringify([first, second]);
      },
    });
    await using http = await openHttp(serverOf(asking));
    const send = async (more: object) => {
      const message = a2026Request(
        'tools/call',
        { name: 'ask', ...more },
        { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } },
      );
      return ((await http.send(message)).json as { result: { requestState: string } }).result;
    };

    const one = await send({});
    const two = await send({ requestState: one.requestState, inputResponses: { first: { action: 'accept' } } });
    const three = await send({ requestState: two.requestState, inputResponses: { second: { action: 'decline' } } });

    expect(one).toMatchObject({
      resultType: 'input_required',
      inputRequests: { first: { params: { message: 'First?' } } },
    });
    expect(two).toMatchObject({ resultType: 'input_required', inputRequests: { second: {} } });
    expect(three).toMatchObject({ content: [{ text: '[{"action":"accept"},{"action":"decline"}]' }] });
  });

  it('[M10.5] asks again when the returned state is invalid', async () => {
    const asking = tool({
      name: 'ask',
      description: 'Asks.',
      run: (_input, { ask }) => JSON.stringify(ask({ a: elicitation('A?', {}) })),
    });
    await using http = await openHttp(serverOf(asking));
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

    for (const requestState of ['{', '[]', '{"a":"text"}']) {
      const { json } = await http.send(a2026Request('tools/call', { name: 'ask', requestState }, meta));
      expect(json).toMatchObject({ result: { resultType: 'input_required', inputRequests: { a: {} } } });
    }
  });

  it('[M10.11] may detach functions from its call', async () => {
    const used = tool({
      name: 'use',
      description: 'Uses them.',
      run: (_input, { progress, log, closeStream, ask }) => {
        progress(1);
        log('info', 'here');
        return [progress, log, closeStream, ask].map((it) => typeof it).join(' ');
      },
    });
    await using http = await openHttp(serverOf(used));

    const { json } = await http.send(
      a2026Request('tools/call', { name: 'use' }, { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' }),
    );

    expect(json).toMatchObject([
      { method: 'notifications/progress' },
      { method: 'notifications/message' },
      { result: { content: [{ text: 'function function function function' }] } },
    ]);
  });

  it('[M10.1] needs a handler and a unique name', () => {
    expect(() => tool({ name: 'idle', description: 'Does nothing.' })).toThrow('neither run nor work');
    expect(() => serverOf(add, add)).toThrow('add is there twice');
  });
});
