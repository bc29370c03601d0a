import { describe, expect, it, vi } from 'vitest';
import { FRESH_SESSION } from '#runner/executors/fresh-session';
import { play, program, scripted, textsOf } from '#runner/executors/testing/play';
import { createAcp } from './acp.ts';

const acp = createAcp({ errandArgv: [], login: 'run agent login', mode: null, ready_ms: 20_000 });
const hasty = createAcp({ errandArgv: [], login: null, mode: null, ready_ms: 300 });
const argv = scripted('acp');

/** An agent that answers correctly, except for the methods given here. */
const agentWith = (answers: Readonly<Record<string, string>>): readonly string[] =>
  program(`
    const usual = {
      initialize: (id) => send({ id, result: { protocolVersion: 1 } }),
      'session/new': (id) => send({ id, result: { sessionId: 's' } }),
      'session/prompt': (id) => send({ id, result: { stopReason: 'end_turn' } }),
    };
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    const update = (update) => send({ method: 'session/update', params: { sessionId: 's', update } });
    const own = { ${Object.entries(answers)
      .map(([method, body]) => `${JSON.stringify(method)}: (id) => { ${body} }`)
      .join(',')} };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      (own[method] ?? usual[method])?.(id);
    });
    process.stdin.on('end', () => process.exit(0));`);

describe.concurrent('a run with an agent at fault', () => {
  it.each([
    ['ends before it is ready', { AGENT_FAULT: 'exit' }, 'exit code 7'],
    ['wants a log-in', { AGENT_AUTH: 'required' }, 'not logged in: run agent login'],
    [
      'sends a message that is too long',
      { AGENT_FAULT: 'huge' },
      'the agent broke the protocol: it sent a message of more than 8 MiB',
    ],
  ])('fails when it %s', async (_what, env, reason) => {
    const { end } = await play(acp, { argv, env, prompt: 'say hello' });

    expect(end).toMatchObject({ status: 'failed', reason });
  });

  it('fails when it says nothing at all', async () => {
    const { end } = await play(hasty, { argv, env: { AGENT_FAULT: 'silent' } });

    expect(end).toMatchObject({ status: 'failed', reason: 'the agent was not ready after 1 seconds' });
  });

  it.each([
    ['exit 9', 'exit code 9'],
    ['exit 0', 'the agent ended before its work was done'],
    ['crash', 'ended by SIGSEGV'],
  ])('fails when it ends in the middle by %s', async (prompt, reason) => {
    const { end } = await play(acp, { argv, prompt: `say half\n${prompt}` });

    expect(end).toMatchObject({ status: 'failed', reason, summary: 'half' });
  });

  it.each([
    [
      'speaks another version',
      { initialize: 'send({ id, result: { protocolVersion: 7 } })' },
      'it speaks version 7 of ACP, and Errand version 1',
    ],
    [
      'does not answer what was asked',
      { initialize: 'send({ id, result: [] })' },
      'it answers initialize with something else than ACP asks for',
    ],
    [
      'opens a session without a name',
      { 'session/new': 'send({ id, result: {} })' },
      'it opened a session without an id',
    ],
    ['ends its turn without a reason', { 'session/prompt': 'send({ id, result: {} })' }, 'it ended without saying why'],
  ])('fails when it %s', async (_what, answers, words) => {
    const { end } = await play(acp, { argv: agentWith(answers) });

    expect(end).toMatchObject({ status: 'failed', reason: `the agent broke the protocol: ${words}` });
  });

  const wantsLogin = 'send({ id, error: { code: -32000, message: "Authentication required" } })';
  const resumable = {
    initialize: 'send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } })',
    'session/load': wantsLogin,
  };

  it('fails when it wants a log-in to resume, and keeps the session', async () => {
    const argv = agentWith({ ...resumable, 'session/new': wantsLogin });

    const { end, sessions, feed } = await play(acp, { argv, agent_session_id: 'old' });

    expect(end).toMatchObject({ reason: 'not logged in: run agent login' });
    expect(sessions).toEqual([]);
    expect(feed).toEqual([]);
  });

  it('goes on in a fresh session when the agent wants a log-in for the old one only', async () => {
    const played = await play(acp, { argv: agentWith(resumable), agent_session_id: 'old' });

    expect(played.end).toMatchObject({ status: 'completed' });
    expect(played.sessions).toEqual(['s']);
    expect(textsOf(played, 'status')).toEqual([FRESH_SESSION]);
  });

  it('does not record the history again when the agent sends it after the session is loaded', async () => {
    const say = (text: string) =>
      `update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '${text}' } })`;
    const argv = agentWith({
      initialize: resumable.initialize,
      'session/load': `send({ id, result: {} }); for (let i = 0; i < 4; i++) setTimeout(() => ${say('old')}, 50 * i)`,
      'session/prompt': `${say('new')}; send({ id, result: { stopReason: 'end_turn' } })`,
    });

    const { end, feed } = await play(acp, { argv, agent_session_id: 'old' });

    expect(end.summary).toBe('new');
    expect(feed).toEqual([{ kind: 'message', text: 'new' }]);
  });

  it('records usage that is sent outside of the protocol', async () => {
    const meta = '{ quota: { token_count: { input_tokens: 12, output_tokens: 3 } } }';
    const body = `send({ id, result: { stopReason: 'end_turn', _meta: ${meta} } })`;

    const { usages } = await play(acp, { argv: agentWith({ 'session/prompt': body }) });

    expect(usages).toEqual([{ input_tokens: 12, output_tokens: 3 }]);
  });

  it('fails with the agent’s message when its model does not answer', async () => {
    const error = '{ code: -32603, message: "Internal error", data: { details: "the model is away" } }';

    const { end } = await play(acp, { argv: agentWith({ 'session/prompt': `send({ id, error: ${error} })` }) });

    expect(end).toMatchObject({ reason: 'the agent answered an error: Internal error: the model is away' });
  });

  it('fails when it asks two questions under one id', async () => {
    const ask =
      "send({ id: 'q', method: 'session/request_permission', params: { sessionId: 's', toolCall: { toolCallId: 't' }, options: [] } })";

    const { end, questions } = await play(acp, {
      argv: agentWith({ 'session/prompt': `${ask}; ${ask}` }),
      answer: () => new Promise<null>(() => undefined),
    });

    expect(end).toMatchObject({ reason: 'the agent broke the protocol: it asked two things at once under one id' });
    expect(questions.length).toBeLessThan(2);
  });

  it('fails when it asks without end', async () => {
    const body =
      "for (let i = 0; i < 1000; i++) send({ id: 'q' + i, method: 'session/request_permission', params: { sessionId: 's', toolCall: { toolCallId: 't' }, options: [] } })";

    const { end } = await play(acp, {
      argv: agentWith({ 'session/prompt': body }),
      answer: () => new Promise<null>(() => undefined),
    });

    expect(end).toMatchObject({ reason: 'the agent broke the protocol: it asked more than 256 things at once' });
  });

  it('ignores lines that are no messages, answers to nothing and unknown updates', async () => {
    const body = `
      console.log('warning: old config');
      send({ id: 4711, result: {} });
      send({ id: 4712, method: 'fs/read_text_file', params: { sessionId: 's', path: '/etc/passwd' } });
      update({ sessionUpdate: 'hologram', shape: 'cube' });
      update({ sessionUpdate: 'tool_call', title: 7 });
      update({ sessionUpdate: 'plan', entries: 'none' });
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '' } });
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'still here' } });
      send({ id, result: { stopReason: 'end_turn' } });`;

    const complained = vi.spyOn(console, 'error');
    const played = await play(acp, { argv: agentWith({ 'session/prompt': body }) });

    expect(played.end).toEqual({ status: 'completed', reason: null, summary: 'still here' });
    // An agent must not be able to write into the server's log.
    expect(complained).not.toHaveBeenCalled();
    expect(textsOf(played, 'output')).toEqual(['warning: old config']);
  });

  it('ends although the agent stays after its turn', async () => {
    const source = agentWith({}).with(
      -1,
      `${agentWith({}).at(-1)?.replace('process.exit(0)', '0')}; setInterval(() => {}, 1000)`,
    );

    const { end } = await play(acp, { argv: source });

    expect(end.status).toBe('completed');
  });
});

describe.concurrent('the MCP server that an agent gets', () => {
  const recorder = (http: boolean) =>
    agentWith({
      initialize: `send({ id, result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: ${http} } } } })`,
      'session/new': '',
    }).map((word) =>
      word.replace(
        'const { id, method } = JSON.parse(line);',
        "const { id, method, params } = JSON.parse(line); if (method === 'session/new') { console.log(JSON.stringify(params.mcpServers)); send({ id, result: { sessionId: 's' } }) }",
      ),
    );
  const run = createAcp({ errandArgv: ['/bin/errand', 'mcp'], login: null, mode: null });

  it('is a URL with the token of the run when it accepts one', async () => {
    const played = await play(run, { argv: recorder(true) });

    expect(JSON.parse(textsOf(played, 'output')[0] ?? '')).toEqual([
      {
        type: 'http',
        name: 'errand',
        url: 'http://127.0.0.1:9/mcp',
        headers: [{ name: 'Authorization', value: 'Bearer secret' }],
      },
    ]);
  });

  it('is a program otherwise', async () => {
    const variables = { ERRAND_TOKEN: 'secret', TASK_MANAGER_PORT: '9' };

    const played = await play(run, { argv: recorder(false), variables });

    expect(JSON.parse(textsOf(played, 'output')[0] ?? '')).toMatchObject([
      {
        name: 'errand',
        command: '/bin/errand',
        args: ['mcp'],
        env: expect.arrayContaining([
          { name: 'ERRAND_TOKEN', value: 'secret' },
          { name: 'TASK_MANAGER_PORT', value: '9' },
        ]),
      },
    ]);
  });
});
