import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownershipFault } from './executors/privacy-fault.ts';
import { readConfig } from './read-config.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'errand-config-'));
});
afterEach(async () => {
  await rm(data, { recursive: true, force: true });
});

const write = (config: unknown) =>
  writeFile(join(data, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));

describe('the configuration of executors', () => {
  it('is empty without a file', () => {
    expect(readConfig(data)).toEqual({
      executors: {},
      agents: {},
      runner: {},
      checks: {},
      budgets: { projects: {}, agents: {} },
      forges: {},
    });
  });

  it('is named by its whole path where it cannot be read', async () => {
    await mkdir(join(data, 'config.json'));

    expect(() => readConfig(data)).toThrow(`${join(data, 'config.json')} cannot be read: EISDIR.`);
  });

  it('is read with all of its fields', async () => {
    const scripted = {
      kind: 'command',
      command: ['node', 'agent.mjs'],
      env: { MODE: 'fast' },
      title: 'Scripted',
      variants: { slow: { args: ['--slow'], env: { MODE: 'slow' } } },
      max_runs: 2,
    };
    const runner = { max_runs: 4, lease_ms: 2_000, isolation: 'off' };
    const forges = { 'git.example.com': 'glab' };
    await write({ executors: { scripted }, runner, forges });

    const config = readConfig(data);

    expect(config).toMatchObject({ executors: { scripted }, agents: {}, forges, runner });
  });

  it('changes a known agent only in the given fields', async () => {
    const claude = { env: { DEBUG: '1' } };
    const codex = { args: ['-c', 'model="x"'], variants: { fast: { args: ['-c', 'model="y"'] } } };
    await write({ executors: { claude, codex, gemini: {} } });

    const { executors, agents } = readConfig(data);

    expect(executors).toEqual({});
    expect(agents).toEqual({
      claude: { env: { DEBUG: '1' }, variants: {} },
      codex: { args: codex.args, env: {}, variants: { fast: { args: ['-c', 'model="y"'], env: {} } } },
      gemini: { env: {}, variants: {} },
    });
  });

  it.each([
    ['config.json', 0o666],
    ['config.json', 0o620],
    ['.', 0o777],
    ['.', 0o770],
  ])('is refused when other users may write %s, with the command that fixes it', async (name, mode) => {
    await write({});
    const path = join(data, name);
    await chmod(path, mode);

    expect(() => readConfig(data)).toThrow(`${path} can be written by other users. Run: chmod go-w '${path}'`);
    await chmod(path, mode & 0o755);

    expect(readConfig(data)).toMatchObject({ executors: {} });
  });

  it('is refused when other users may write the target of a link', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'errand-linked-'));
    await writeFile(join(elsewhere, 'mine.json'), '{}');
    await symlink(join(elsewhere, 'mine.json'), join(data, 'config.json'));
    await chmod(elsewhere, 0o777);

    expect(() => readConfig(data)).toThrow(`chmod go-w '${await realpath(elsewhere)}'`);
    await rm(elsewhere, { recursive: true });
  });

  it('is refused when other users may replace the link itself', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'errand-linked-'));
    await writeFile(join(elsewhere, 'mine.json'), '{}');
    await symlink(join(elsewhere, 'mine.json'), join(data, 'config.json'));
    await chmod(data, 0o777);

    expect(() => readConfig(data)).toThrow(`chmod go-w '${data}'`);
    await rm(elsewhere, { recursive: true });
  });

  it.each([
    [{ uid: 1000, mode: 0o100644 }, null],
    [{ uid: 0, mode: 0o100644 }, null],
    [{ uid: 1001, mode: 0o100600 }, "/x belongs to another user. Run: chown 1000 '/x'"],
  ])('belongs to this user or the superuser: %j', (stats, fault) => {
    expect(ownershipFault('/x', stats, 1000)).toBe(fault);
  });

  const with_ = (executor: unknown) => ({ executors: { x: executor } });
  it.each([
    ['{ not json', 'config.json: is not JSON: see line 1, column 3.'],
    ['{', 'config.json: is not JSON'],
    ['', 'config.json: is not JSON.'],
    [[], 'config.json: must be an object: {…}'],
    [{ executor: {} }, 'config.json: there is no "executor"'],
    [{ executors: [] }, 'config.json: executors: must be an object: {…}'],
    [with_({ kind: 'magic', command: ['x'] }), 'config.json: executors.x.kind: must be one of command, acp'],
    [with_({ command: ['x'] }), 'config.json: executors.x: "kind" is missing'],
    [with_({ kind: 'command' }), 'config.json: executors.x: "command" is missing: a list such as ["node",'],
    [
      with_({ env: {} }),
      'executors.x: is no known agent (claude, codex, gemini, opencode, qwen, copilot), so it needs',
    ],
    [with_({ kind: 'acp', command: ['x'], args: ['y'] }), 'executors.x: "args" is for known agents'],
    [with_({ kind: 'command', command: [] }), 'config.json: executors.x.command.0: is missing'],
    [with_({ kind: 'command', command: ['x', 1] }), 'config.json: executors.x.command.1: must be a text'],
    [with_({ kind: 'command', command: 'echo hi' }), 'executors.x.command: must be a list such as ["echo","hi"]'],
    [with_({ kind: 'command', command: ['./agent'] }), 'config.json: executors.x.command.0: give the whole path'],
    [with_({ kind: 'command', command: ['a\0b'] }), 'config.json: executors.x.command.0: arguments hold no null'],
    [with_({ kind: 'command', command: ['x'], env: { 'A B': '1' } }), 'config.json: executors.x.env.A B: names of'],
    [
      with_({ kind: 'command', command: ['x'], env: { ERRAND_TOKEN: '1' } }),
      'config.json: executors.x.env.ERRAND_TOKEN: ',
    ],
    [with_({ kind: 'command', command: ['x'], shell: true }), 'config.json: executors.x: there is no "shell"'],
    [with_({ kind: 'command', command: ['x'], max_runs: 0 }), 'executors.x.max_runs: must be a whole number from 1 to'],
    [with_({ kind: 'command', command: ['x'], max_runs: '2' }), 'executors.x.max_runs: must be a whole number from 1'],
    [with_({ kind: 'command', command: ['x'], title: '' }), 'executors.x.title: must be a text of 1 to 100 characters'],
    [{ executors: { '../x': { kind: 'command', command: ['x'] } } }, 'config.json: executors.../x: names are'],
    [{ runner: { lease_ms: 999 } }, 'config.json: runner.lease_ms: must be a whole number from 1000 to 3600000'],
    [{ runner: { isolation: 'none' } }, 'config.json: runner.isolation: must be one of auto, off'],
  ])('is refused in one line that names the fault: %j', async (config, words) => {
    await write(config);

    const read = () => readConfig(data);

    expect(read).toThrow(
      expect.objectContaining({ code: 'validation_error', message: expect.stringContaining(words) }),
    );
    expect(read).toThrow(/^[^\n]+$/);
    expect(read).toThrow(join(data, 'config.json'));
  });
});
