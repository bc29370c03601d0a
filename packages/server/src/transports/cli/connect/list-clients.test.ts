import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findClients } from '#transports/cli/find-clients';
import { listClients, mustNameClient } from './list-clients.ts';

const home = { path: '' };
const inHome = (...parts: readonly string[]): string => join(home.path, ...parts);
const machine = () => ({ home: home.path, env: { PATH: inHome('bin') }, platform: 'linux' });

beforeEach(async () => {
  home.path = await mkdtemp(join(tmpdir(), 'errand-home-'));
  await mkdir(inHome('bin'));
});
afterEach(() => rm(home.path, { recursive: true, force: true }));

/** Puts a program on the PATH of the test machine. */
async function install(command: string, script: string): Promise<void> {
  await writeFile(inHome('bin', command), `#!/bin/sh\n${script}\n`);
  await chmod(inHome('bin', command), 0o755);
}

describe('finding clients', () => {
  it('finds those on the PATH with their versions, and editors by their folders, in a fixed order', async () => {
    await install('gemini', 'echo 0.61.0');
    await install('claude', 'echo "2.1.325 (Claude Code)"');
    await install('copilot', 'echo "GitHub Copilot CLI 1.0.102."');
    await install('code', 'touch started');
    await mkdir(inHome('.cursor'));

    const found = await findClients(machine());

    expect(found.map(({ title, version }) => [title, version])).toEqual([
      ['Claude Code', '2.1.325'],
      ['Gemini CLI', '0.61.0'],
      ['Copilot CLI', '1.0.102'],
      ['Cursor', null],
      ['VS Code', null],
    ]);
  });

  it('finds a client that does not report its version in time', async () => {
    await install('codex', 'exec /bin/sleep 30');

    const found = await findClients(machine(), 100);

    expect(found.map(({ command, version }) => [command, version])).toEqual([['codex', null]]);
  });

  it('lists clients with the next step, and says what to do when there is no client', async () => {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);

    await listClients({ machine: machine(), json: false, print });
    await install('codex', 'echo codex-cli 0.166.0');
    await listClients({ machine: machine(), json: false, print });

    expect(printed[0]).toContain('Install one of them, or give any MCP client the address and a token');
    expect(printed[1]).toBe(
      'Found on this machine:\n  codex     Codex 0.166.0\nConnect one: errand connect codex --apply',
    );
  });

  it.each([
    [{ print: true }, 'Name the client for --print.'],
    [{ apply: true, project: ['Shop'] }, 'Name the client for --apply, --project.'],
    [{ projectFile: true, url: 'http://127.0.0.1:1' }, 'Name the client for --project-file, --url.'],
  ])('refuses %j, which is about one client', (flags, message) => {
    expect(() => mustNameClient(flags)).toThrow(message);
  });

  it('accepts the flags of every command', () => {
    expect(() => mustNameClient({ data: '/tmp', json: true, projectFile: false, url: undefined })).not.toThrow();
  });
});
