import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExecutors } from './create-executors.ts';
import { KNOWN_AGENTS } from './known-agents.ts';

const configured = {
  executors: {
    scripted: {
      kind: 'command' as const,
      command: ['/bin/cat', '-n'] as [string, ...string[]],
      env: { MODE: 'fast', LEVEL: '1' },
      variants: { slow: { args: ['-s'], env: { MODE: 'slow' } } },
      max_runs: 2,
    },
    opencode: { kind: 'acp' as const, command: ['/opt/nothing/opencode'] as [string], env: {}, variants: {} },
  },
  agents: {},
  runner: {},
};
const open = (offerKnown: boolean) =>
  createExecutors({ config: configured, offerKnown, env: { PATH: '/nowhere' }, errandArgv: [] });

describe('executors', () => {
  it('are the configured ones and the known ones', async () => {
    const [few, all] = [await open(false).offers(), await open(true).offers()];

    expect(few.map(({ executor }) => executor)).toEqual(all.map(({ executor }) => executor));
    expect(all.map(({ executor }) => executor)).toEqual([
      'scripted',
      'opencode',
      'claude',
      'codex',
      'gemini',
      'qwen',
      'copilot',
    ]);
    expect(few.slice(0, 2)).toMatchObject([
      { is_ready: true, problem: null, version: null, variants: ['slow'] },
      {
        is_ready: false,
        title: 'opencode',
        problem: expect.stringContaining('/opt/nothing/opencode does not exist'),
      },
    ]);
    expect(all.slice(2).every(({ is_ready, problem }) => !is_ready && problem?.startsWith('not installed'))).toBe(true);
  });

  it('are reported before a known agent was asked for its version: it counts as ready when it is on the PATH', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'errand-executors-'));
    await writeFile(join(folder, 'codex'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const executors = createExecutors({ config: configured, offerKnown: true, env: { PATH: folder }, errandArgv: [] });
    const stateOf = (offers: readonly { executor: string; is_ready: boolean }[]) =>
      Object.fromEntries(offers.map(({ executor, is_ready }) => [executor, is_ready]));

    const soFar = stateOf(executors.offersSoFar());
    const asked = stateOf(await executors.offers());

    expect(soFar).toMatchObject({ scripted: true, codex: true, gemini: false });
    expect(asked).toMatchObject({ scripted: true, codex: false, gemini: false });
    expect(stateOf(executors.offersSoFar())).toEqual(asked);
    await rm(folder, { recursive: true });
  });

  it('are run as configured, changed by the variant', () => {
    const executors = open(false);

    expect(executors.resolve('scripted', null)).toMatchObject({
      argv: ['/bin/cat', '-n'],
      env: { MODE: 'fast', LEVEL: '1' },
      passes: [],
      max_runs: 2,
    });
    expect(executors.resolve('scripted', 'slow')).toMatchObject({
      argv: ['/bin/cat', '-n', '-s'],
      env: { MODE: 'slow', LEVEL: '1' },
    });
  });

  it('have what the known agent of their name needs, unless configured otherwise', () => {
    const gemini = (env: Readonly<Record<string, string>>) => {
      const executor = { kind: 'acp' as const, command: ['gemini'] as [string], env, variants: {} };
      const config = { executors: { gemini: executor }, agents: {}, runner: {} };
      return createExecutors({ config, offerKnown: true, env: {}, errandArgv: [] }).resolve('gemini', null)?.env;
    };

    expect(open(true).resolve('gemini', null)?.env).toEqual({ GEMINI_CLI_TRUST_WORKSPACE: 'true' });
    expect(gemini({})).toEqual({ GEMINI_CLI_TRUST_WORKSPACE: 'true' });
    expect(gemini({ GEMINI_CLI_TRUST_WORKSPACE: 'false' })).toEqual({ GEMINI_CLI_TRUST_WORKSPACE: 'false' });
  });

  it('are known agents with the operator’s changes', async () => {
    const changes = {
      args: ['--model', 'best'],
      env: { ANTHROPIC_API_KEY: 'k', EXTRA: '1' },
      variants: { fast: { args: ['--model', 'small'], env: { EXTRA: '2' } } },
      max_runs: 1,
    };
    const config = { executors: {}, agents: { claude: changes }, runner: {} };

    const executors = createExecutors({ config, offerKnown: false, env: { PATH: '/nowhere' }, errandArgv: [] });

    const known = KNOWN_AGENTS.find(({ name }) => name === 'claude');
    expect(await executors.offers()).toContainEqual(
      expect.objectContaining({ executor: 'claude', title: 'Claude Code', variants: ['plan', 'yolo', 'fast'] }),
    );
    expect(executors.resolve('claude', null)).toMatchObject({
      argv: [...(known?.argv ?? []), '--model', 'best'],
      env: { ANTHROPIC_API_KEY: 'k', EXTRA: '1' },
      passes: known?.passes,
      max_runs: 1,
    });
    expect(executors.resolve('claude', 'fast')).toMatchObject({
      argv: [...(known?.argv ?? []), '--model', 'best', '--model', 'small'],
      env: { ANTHROPIC_API_KEY: 'k', EXTRA: '2' },
    });
    expect(executors.resolve('claude', 'plan')?.argv).toEqual(expect.arrayContaining(['best', 'plan']));
  });

  it('are not found by an unknown name or variant', () => {
    const executors = open(true);

    const found = [
      ['nobody', null],
      ['scripted', 'fast'],
      ['scripted', 'constructor'],
      ['constructor', null],
      ['claude', 'toString'],
    ] as const;

    expect(found.map(([name, variant]) => executors.resolve(name, variant))).toEqual(found.map(() => null));
    expect(open(false).resolve('claude', null)).toBeNull();
  });

  it('are not offered where other machines can reach the server, and say so, unless the operator names them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'errand-executors-'));
    for (const name of ['claude', 'codex']) await writeFile(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${folder}:/bin:/usr/bin`, HOME: folder };
    const config = { executors: {}, agents: { codex: { env: {}, variants: {} } }, runner: {} };
    const executors = createExecutors({ config, offerKnown: false, env, errandArgv: [] });

    const soFar = new Map(executors.offersSoFar().map(({ executor, is_ready }) => [executor, is_ready]));
    const offers = new Map((await executors.offers()).map((offer) => [offer.executor, offer]));

    await rm(folder, { recursive: true });
    expect([soFar.get('codex'), soFar.get('claude')]).toEqual([true, false]);
    expect(offers.get('codex')).toMatchObject({ is_ready: true, problem: null });
    expect(offers.get('claude')).toMatchObject({
      is_ready: false,
      problem: expect.stringContaining('other machines can reach the server: allow it in config.json'),
    });
    expect(offers.get('gemini')?.problem).toContain('not installed');
    expect([executors.resolve('codex', null) === null, executors.resolve('claude', null)]).toEqual([false, null]);
  });

  it('are detected once, however often they are asked for in a while', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'errand-executors-'));
    const program = join(folder, 'claude');
    await writeFile(program, `#!/bin/sh\n[ "$1" = --version ] && echo asked >> ${folder}/log\nexit 0\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${folder}:/bin:/usr/bin`, HOME: folder };
    const config = { executors: {}, agents: {}, runner: {} };
    const executors = createExecutors({ config, offerKnown: true, env, errandArgv: [] });

    await Promise.all([executors.offers(), executors.offers()]);
    await executors.offers();

    const log = await readFile(join(folder, 'log'), 'utf8');
    await rm(folder, { recursive: true });
    expect(log).toBe('asked\n');
  });

  it('that are known have what a person needs to get them going', () => {
    for (const agent of KNOWN_AGENTS) {
      expect(agent.conversation === null).toBe(agent.kind === 'acp');
      expect(agent.passes).toEqual(expect.arrayContaining([...(agent.credentials?.variables ?? [])]));
      expect(agent.login).not.toBe('');
    }
  });
});
