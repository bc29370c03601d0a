import { describe, expect, it } from 'vitest';
import { createExecutors } from '#runner/executors/create-executors';
import { KNOWN_AGENTS } from '#runner/executors/known-agents';
import { play, program } from '#runner/executors/testing/play';
import { createAcp } from './acp.ts';

const chunk = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const usage = { sessionUpdate: 'usage_update', used: 9868, size: 128_000 };
const RETRYING = chunk('Info: Request failed due to a transient API error. Retrying...');

/** An agent that sends these updates after its prompt, and then ends its turn. */
const replayed = (updates: readonly unknown[]): readonly string[] =>
  program(`
    const rl = require('node:readline').createInterface({ input: process.stdin });
    const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    rl.on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') write({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
      if (method === 'session/new') write({ id, result: { sessionId: 's' } });
      if (method !== 'session/prompt') return;
      for (const update of ${JSON.stringify(updates)})
        write({ method: 'session/update', params: { sessionId: 's', update } });
      write({ id, result: { stopReason: 'end_turn' } });
    });`);

const failure_pattern = KNOWN_AGENTS.find(({ name }) => name === 'copilot')?.failure_pattern ?? null;
const copilot = createAcp({ errandArgv: [], login: null, mode: null, failure_pattern });

describe('Copilot CLI whose model fails', () => {
  // In the form of version 1.0.102.
  it.each([
    [
      'a request that is refused',
      [usage, chunk('Error: 400 the model is out of order')],
      'the model failed: 400 the model is out of order',
    ],
    [
      'a log-in that is not taken',
      [
        ...[usage, RETRYING, usage],
        chunk('Error: Authentication failed with provider at http://127.0.0.1/v1 (HTTP 401).\n  Check your API key.'),
      ],
      'the model failed: Authentication failed with provider at http://127.0.0.1/v1 (HTTP 401). Check your API key.',
    ],
    [
      'a model that stays away',
      [
        ...[usage, RETRYING, usage],
        chunk('Error: Failed to get response from the AI model; retried 5 times Last error: 500 out of order'),
      ],
      'the model failed: Failed to get response from the AI model; retried 5 times Last error: 500 out of order',
    ],
  ])('has failed: %s', async (_, updates, reason) => {
    const { end } = await play(copilot, { argv: replayed(updates), prompt: 'say hello' });

    expect(end).toMatchObject({ status: 'failed', reason });
  });

  it('takes no more words: they wait for a run whose model answers', async () => {
    let looks = 0;

    await play(copilot, {
      ...{ argv: replayed([chunk('Error: 400 the model is out of order')]), prompt: 'say hello' },
      nextMessages: async () => {
        looks += 1;
        return null;
      },
    });

    expect(looks).toBe(0);
  });

  it('has not failed when it goes on after an error, or only mentions one', async () => {
    const tool = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look', status: 'completed' };
    const wentOn = [chunk('Error: 500 out of order'), tool, chunk('It works now.')];
    const spoke = [chunk('The log says'), chunk(' Error: 400, which is mended.')];

    const [first, second] = await Promise.all(
      [wentOn, spoke].map((updates) => play(copilot, { argv: replayed(updates), prompt: 'say hello' })),
    );

    expect([first?.end.status, second?.end.status]).toEqual(['completed', 'completed']);
  });

  it.each([
    ['known', {}],
    ['configured', { copilot: { kind: 'acp' as const, command: ['copilot'] as [string], env: {}, variants: {} } }],
  ])('has failed also as the executor that is %s by its name', async (_, executors) => {
    const config = { executors, agents: {}, runner: {} };
    const offered = createExecutors({ config, offerKnown: true, env: {}, errandArgv: [] });
    const { run } = offered.resolve('copilot', null) ?? expect.unreachable();

    const { end } = await play(run, { argv: replayed([chunk('Error: 400 out of order')]), prompt: 'say hello' });

    expect(end).toMatchObject({ status: 'failed', reason: 'the model failed: 400 out of order' });
  });

  it('is not searched for in the text of other agents', async () => {
    const other = createAcp({ errandArgv: [], login: null, mode: null });

    const { end } = await play(other, { argv: replayed([chunk('Error: 400 is what I mended')]), prompt: 'say hello' });

    expect(end.status).toBe('completed');
  });
});
