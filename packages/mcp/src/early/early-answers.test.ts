import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { answerEarly, resumeEarly } from './early-answers.ts';
import { type EarlyAnswers, readEarly } from './read-early.ts';

const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}\n';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
const LIST = '{"jsonrpc":"2.0","id":"b","method":"tools/list"}\n';
const CALL = '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}\n';

const KNOWN = { '2025-06-18 initialize': '{"hello":1}', '2025-06-18 tools/list': '{"tools":[]}' };
const OPENED = '{"jsonrpc":"2.0","id":1,"result":{"hello":1}}\n';
const LISTED = '{"jsonrpc":"2.0","id":"b","result":{"tools":[]}}\n';

/** The streams of a client, and answers that are known from the start. */
function aClient(known: Readonly<Record<string, string>> = KNOWN) {
  const input = new PassThrough();
  const output = new PassThrough();
  const kept = new Map<string, string | null>();
  const answers: EarlyAnswers = { read: (key) => known[key] ?? null, keep: (key, result) => kept.set(key, result) };
  let written = '';
  output.on('data', (chunk) => {
    written += String(chunk);
  });
  return { input, output, answers, kept, written: () => written };
}

/** Connects a client that may pause for a minute. */
function connect(known?: Readonly<Record<string, string>>) {
  const client = aClient(known);
  return { ...client, early: answerEarly({ ...client, idle_ms: 60_000 }) };
}

const flushed = () => new Promise((resolve) => setImmediate(resolve));

describe('early answers', () => {
  it('[M11.1] answer initialize and tools/list, and leave the program every byte', async () => {
    const { input, early, written } = connect();

    input.write(INITIALIZE);
    input.write(INITIALIZED + LIST);
    const streams = await early;
    input.end(CALL);

    expect(written()).toBe(OPENED + LISTED);
    expect(await text(streams.input)).toBe(INITIALIZE + INITIALIZED + LIST + CALL);
  });

  it.each([
    ['of tasks', 'io.modelcontextprotocol/tasks', OPENED + LISTED],
    ['that may change them', 'io.modelcontextprotocol/ui', ''],
  ])(
    '[M11.1] are given to a client with an extension as far as they hold for it: %s',
    async (_kind, name, answered) => {
      const { input, early, written } = connect();
      const capabilities = { extensions: { [name]: {} } };
      const params = { protocolVersion: '2025-06-18', capabilities };

      input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n${LIST}`);
      await early;

      expect(written()).toBe(answered);
    },
  );

  it('[M11.1] are the same wherever the client’s bytes are cut', async () => {
    const sent = Buffer.from(INITIALIZE + INITIALIZED + LIST + CALL);

    for (let at = 1; at < sent.length; at += 3) {
      const { input, early, written } = connect();
      input.write(sent.subarray(0, at));
      await flushed();
      input.end(sent.subarray(at));
      const streams = await early;

      expect(written()).toBe(OPENED + LISTED);
      expect(await text(streams.input)).toBe(String(sent));
    }
  });

  it('[M11.2] can be given by one process and kept back by another', async () => {
    const { input, output, answers, written, kept } = aClient();
    input.end(INITIALIZE + LIST + CALL);
    const read = await readEarly({ input, output, answers });

    const results: typeof read.results = JSON.parse(JSON.stringify(read.results));
    const resumed = resumeEarly({ input: read.input, output, answers, results });
    resumed.output.write(OPENED);
    resumed.output.write(LISTED);
    resumed.output.write('{"jsonrpc":"2.0","id":3,"result":{}}\n');

    expect(written()).toBe(`${OPENED}${LISTED}{"jsonrpc":"2.0","id":3,"result":{}}\n`);
    expect(await text(resumed.input)).toBe(INITIALIZE + LIST + CALL);
    expect(kept).toEqual(new Map());
  });

  it('leave the program an input that can still end when the client sent nothing', async () => {
    const { input, output, answers } = aClient();
    input.end();

    const read = await readEarly({ input, output, answers });

    expect(read.input.readableEnded).toBe(false);
    expect(await text(read.input)).toBe('');
  });

  it('end when the client no longer reads', async () => {
    const { input, output, answers } = aClient();
    output.destroy(new Error('EPIPE'));

    input.end(INITIALIZE + LIST);
    const read = await readEarly({ input, output, answers });

    expect(await text(read.input)).toBe(INITIALIZE + LIST);
  });

  it('[M11.2] replace only the same answers of the program', async () => {
    const { input, early, written, kept } = connect();
    input.write(INITIALIZE + LIST);
    const { output } = await early;

    output.write(OPENED);
    output.write('{"jsonrpc":"2.0","method":"notifications/message"}\n');
    output.write(LISTED);
    output.write('{"jsonrpc":"2.0","id":1,"result":"a later request with the same id"}\n');
    await flushed();

    expect(written()).toBe(
      `${OPENED}${LISTED}{"jsonrpc":"2.0","method":"notifications/message"}\n{"jsonrpc":"2.0","id":1,"result":"a later request with the same id"}\n`,
    );
    expect(kept).toEqual(new Map());
  });

  it.each([
    ['a call', CALL],
    ['a list with a cursor', '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}\n'],
    ['a list before initialize', LIST],
    ['several messages at once', `[${INITIALIZE.trim()}]\n`],
    ['what is no JSON', 'hello\n'],
    ['a revision that is not known', INITIALIZE.replace('2025-06-18', '2024-11-05')],
  ])('leave %s to the program', async (_, line) => {
    const { input, early, written } = connect();

    input.end(line);
    const streams = await early;

    expect(written()).toBe('');
    expect(await text(streams.input)).toBe(line);
  });

  it('use the newest revision for an unknown one', async () => {
    const { input, early, written } = connect({ '2025-11-25 initialize': '{"latest":1}' });

    input.end(INITIALIZE.replace('2025-06-18', '2099-01-01'));
    await early;

    expect(written()).toContain('{"latest":1}');
  });

  it('[M11.2] are recorded from the program', async () => {
    const { input, early, written, kept } = connect({});
    input.write(INITIALIZE + LIST);
    const { output } = await early;

    output.write(OPENED);
    await flushed();

    expect(written()).toBe(OPENED);
    expect(kept).toEqual(new Map([['2025-06-18 initialize', '{"hello":1}']]));
  });

  it('[M11.2] are corrected when the program has other tools, and the client is notified', async () => {
    const { input, early, written, kept } = connect();
    let notices = 0;
    input.write(INITIALIZE + LIST);
    const { output, onOtherTools } = await early;
    onOtherTools(() => {
      notices++;
    });

    output.write(OPENED);
    output.write('{"jsonrpc":"2.0","id":"b","result":{"tools":[1]}}\n');
    await flushed();

    expect(written()).toBe(OPENED + LISTED);
    expect(kept).toEqual(new Map([['2025-06-18 tools/list', '{"tools":[1]}']]));
    expect(notices).toBe(1);
  });

  it('are forgotten when the program refuses', async () => {
    const { input, early, kept } = connect();
    input.write(INITIALIZE + LIST);
    const { output } = await early;

    output.write('{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"revoked"}}\n');
    await flushed();

    expect(kept).toEqual(new Map([['2025-06-18 initialize', null]]));
  });
});
