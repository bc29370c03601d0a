import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRESH_SESSION } from '#runner/executors/fresh-session';
import { play, program, scripted, textsOf } from '#runner/executors/testing/play';
import { createAcp } from './acp.ts';

const acp = createAcp({
  errandArgv: ['/usr/bin/errand', 'mcp'],
  login: 'run agent login',
  mode: null,
  ready_ms: 20_000,
});
const argv = scripted('acp');
const allow = async () => ({ option: 'yes', answer: null });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errand-acp-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('an agent that speaks ACP', () => {
  it('is run to the end of its turn, and its text is recorded message by message', async () => {
    const prompt = 'think about it\nsay I look around.\ntool read Look around\nsay All is well.\nwrite a.txt hello';

    const { end, feed, clients, sessions } = await play(acp, { argv, prompt, folder });

    expect(feed).toEqual([
      { kind: 'thought', text: 'about it' },
      { kind: 'message', text: 'I look around.' },
      { kind: 'tool_call', text: 'Look around' },
      { kind: 'message', text: 'All is well.' },
    ]);
    expect(end).toEqual({ status: 'completed', reason: null, summary: 'All is well.' });
    expect(clients).toEqual(['scripted-acp 1.0.0']);
    expect(sessions).toHaveLength(1);
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('hello\n');
  });

  it('has its tool calls as steps and entries of the feed', async () => {
    const { steps, feed } = await play(acp, { argv, prompt: 'tool edit Mend a.txt\ntool execute Run tests', folder });

    expect(steps).toEqual([
      { name: 'Mend a.txt', status: 'completed', message: null, source: 'tool' },
      { name: 'Run tests', status: 'completed', message: null, source: 'tool' },
    ]);
    expect(feed.map(({ kind }) => kind)).toEqual(['edit', 'command']);
  });

  it('has its plan as steps, each from its start on', async () => {
    const { reports } = await play(acp, { argv, prompt: 'plan Look|Mend', folder });

    expect(reports.map(({ name, status, source }) => [name, status, source])).toEqual([
      ['Look', 'running', 'plan'],
      ['Look', 'completed', 'plan'],
      ['Mend', 'running', 'plan'],
      ['Mend', 'completed', 'plan'],
    ]);
  });

  it('asks for permission and gets the answer', async () => {
    const { end, questions, steps } = await play(acp, { argv, prompt: 'ask rm -rf build', folder, answer: allow });

    expect(questions).toEqual([
      {
        kind: 'permission',
        question: 'rm -rf build',
        details: null,
        options: [
          { option: 'yes', name: 'Allow', kind: 'allow_once' },
          { option: 'always', name: 'Always allow', kind: 'allow_always' },
          { option: 'no', name: 'Reject', kind: 'reject_once' },
        ],
      },
    ]);
    expect(end.summary).toBe('rm -rf build: yes');
    expect(steps).toMatchObject([{ name: 'rm -rf build', status: 'completed' }]);
  });

  it('asks a question and gets the answer', async () => {
    const answer = async () => ({ option: null, answer: 'blue' });

    const { end, questions } = await play(acp, { argv, prompt: 'question Which colour?', folder, answer });

    expect(questions).toMatchObject([{ kind: 'question', question: 'Which colour?', options: [] }]);
    expect(end.summary).toBe('Which colour? accept: blue');
  });

  it('[L-BUDGET] reports its usage as it comes, and as cost only the part of this run', async () => {
    const { usages } = await play(acp, { argv, prompt: 'usage 120 30', folder });

    expect(usages).toEqual([{ cost_usd: 0.01 }, { input_tokens: 120, output_tokens: 30, cost_usd: 0.01 }]);
  });

  it.each([
    ['refusal', 'the agent refused'],
    ['max_tokens', 'the agent ran out of tokens'],
    ['max_turn_requests', 'the agent reached its limit of requests'],
    ['cancelled', 'stopped'],
    ['tired', 'the agent stopped: tired'],
  ])('has failed when it stops for %s', async (stop, reason) => {
    const { end } = await play(acp, { argv, prompt: `stop ${stop}`, folder });

    expect(end).toMatchObject({ status: 'failed', reason });
  });

  it('gets a cancel when the run is stopped', async () => {
    const stop = new AbortController();
    const AGENT_LOG = join(folder, 'log');

    const { end, left } = await play(acp, {
      ...{ argv, env: { AGENT_LOG }, folder, signal: stop.signal, heard: () => stop.abort() },
      prompt: 'tool read a\nsleep 60000',
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'stopped' });
    expect(left).toEqual([]);
    expect(await readFile(AGENT_LOG, 'utf8')).toContain('"event":"cancel"');
  });

  it('[L-STEER] goes on in the same process with words that cut its turn, and with those that wait at its end', async () => {
    const waiting = ['say and this'];
    const urgent = ['say not that'];
    let interrupt: (words: string) => Promise<boolean> = async () => false;
    const AGENT_LOG = join(folder, 'log');

    const played = await play(acp, {
      ...{ argv, env: { AGENT_LOG }, folder, prompt: 'tool read a\nsleep 60000' },
      onInterrupt: (given) => {
        interrupt = given;
      },
      nextMessages: async () => waiting.shift() ?? null,
      heard: () => void urgent.splice(0).map((words) => interrupt(words)),
    });

    expect(played.end).toMatchObject({ status: 'completed' });
    expect(textsOf(played, 'message')).toEqual(['not that', 'and this']);
    expect(played.starts).toHaveLength(1);
    expect(await readFile(AGENT_LOG, 'utf8')).toContain('"event":"cancel"');
  });

  it('[L-STEER] loses no words that come while the next ones are looked for, and takes none after its end', async () => {
    let interrupt: (words: string) => Promise<boolean> = async () => false;
    const looks = [() => interrupt('say in time')];

    const played = await play(acp, {
      ...{ argv, folder, prompt: 'say done' },
      onInterrupt: (given) => {
        interrupt = given;
      },
      nextMessages: async () => {
        await looks.shift()?.();
        return null;
      },
    });

    expect(textsOf(played, 'message')).toEqual(['done', 'in time']);
    expect(await interrupt('say too late')).toBe(false);
  });

  it('has its open question withdrawn when the run is stopped', async () => {
    const stop = new AbortController();
    const answer = () => {
      stop.abort();
      return new Promise<null>(() => undefined);
    };
    // Otherwise the agent would not wait for the answer.
    const env = { AGENT_CANCEL: 'deaf' };

    const played = await play(acp, { argv, env, prompt: 'ask go on', folder, answer, signal: stop.signal });

    expect(textsOf(played, 'message')).toEqual(['go on: cancelled']);
  });

  it('is ended when the run is stopped before it is ready', async () => {
    const env = { AGENT_FAULT: 'silent' };

    const { end, left } = await play(acp, { argv, env, folder, signal: AbortSignal.timeout(100) });

    expect(end).toMatchObject({ status: 'failed', reason: 'stopped' });
    expect(left).toEqual([]);
  });

  it('works in the mode that the variant asks for, and fails when it has no mode of that name', async () => {
    const planning = createAcp({ errandArgv: [], login: null, mode: 'plan' });

    const { end } = await play(planning, { argv, prompt: 'say hello', folder });

    expect(end).toMatchObject({ status: 'failed', reason: expect.stringContaining('session/set_mode') });
  });

  it('is killed when it ignores the cancel', async () => {
    const stop = new AbortController();
    const heard = () => stop.abort();
    const env = { AGENT_CANCEL: 'deaf' };

    const { end, left } = await play(acp, {
      ...{ argv, env, folder, heard, signal: stop.signal },
      prompt: 'say busy\ntool read file\nsleep 60000',
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'stopped' });
    expect(left).toEqual([]);
  });
});

describe('the session of an agent', () => {
  const first = async (env: Readonly<Record<string, string>>) => {
    const { sessions } = await play(acp, { argv, env, prompt: 'remember colour=blue', folder });
    return sessions[0] ?? '';
  };

  it.each(['resume', 'load', 'pretended'])(
    'is resumed by %s, and its history is not recorded again',
    async (AGENT_RESUME) => {
      const env = { AGENT_RESUME };
      const agent_session_id = await first(env);

      const { end, feed, steps, sessions } = await play(acp, {
        argv,
        env,
        prompt: 'recall colour',
        recap: 'R',
        folder,
        agent_session_id,
      });

      expect(end).toMatchObject({ status: 'completed', summary: 'colour is blue' });
      expect(sessions).toEqual([agent_session_id]);
      expect(feed).toEqual([{ kind: 'message', text: 'colour is blue' }]);
      expect(steps).toEqual([]);
    },
  );

  it.each(['none', 'broken'])('is a fresh one with a recap when resuming is %s', async (AGENT_RESUME) => {
    const agent_session_id = await first({});
    const AGENT_LOG = join(folder, 'log');

    const played = await play(acp, {
      ...{ argv, env: { AGENT_RESUME, AGENT_LOG }, folder, agent_session_id },
      prompt: 'recall colour',
      recap: 'Asked: remember the colour',
    });

    expect(played.end).toMatchObject({ status: 'completed', summary: 'colour is forgotten' });
    expect(textsOf(played, 'status')).toEqual([FRESH_SESSION]);
    expect(played.sessions).not.toContain(agent_session_id);
    const log = (await readFile(AGENT_LOG, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(log.filter(({ event }) => event === 'start')).toHaveLength(1);
    expect(log.find(({ event }) => event === 'prompt')).toMatchObject({
      prompt: 'recall colour',
      before: expect.stringContaining('Asked: remember the colour'),
    });
  });

  it('is a fresh one in a second process when the first ends during the resume', async () => {
    const source = `
      const rl = require('node:readline').createInterface({ input: process.stdin });
      rl.on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const send = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
        if (method === 'initialize') send({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
        if (method === 'session/load') process.exit(1);
        if (method === 'session/new') send({ sessionId: 'second' });
        if (method === 'session/prompt') send({ stopReason: 'end_turn' });
      });`;

    const played = await play(acp, { argv: program(source), prompt: 'go on', folder, agent_session_id: 'first' });

    expect(played.end).toMatchObject({ status: 'completed' });
    expect(played.sessions).toEqual(['second']);
    expect(textsOf(played, 'status')).toEqual([FRESH_SESSION]);
    expect(played.starts).toHaveLength(2);
  });
});
