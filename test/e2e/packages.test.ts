import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, type Folder, temporaryFolder } from './program.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const RUNNER = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The scenarios of the conformance runner that apply to any server, independent of its tools. */
const CORE = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection', 'server-session-lifecycle'];

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly default: string } | string>>;
}

/** An environment without this repository's own Node options, as a user of the packages has. */
const env = { ...cleanEnvironment(), NODE_OPTIONS: '' };

const TASKS_PROGRAM = `
import { createTasks } from '@errand/tasks';
import { openSqliteStore } from '@errand/tasks/sqlite';

const store = await openSqliteStore({ path: 'tasks.db' });
const greet = async ({ arguments: { name } }) => ({ content: [{ type: 'text', text: 'Hello, ' + name }] });
const tasks = createTasks({ store, tools: { greet } });
const { task_id } = await tasks.create({ owner_id: 'sub:al', tool: 'greet', arguments: { name: 'Al' } });
const { status, outcome } = await tasks.wait('sub:al', task_id);
console.log(status, outcome.result.content[0].text);
await tasks.close();
`;

let folder: Folder;

/** Packs the two libraries as npm would publish them, and installs them in an empty folder without a network. */
beforeAll(async () => {
  folder = await temporaryFolder();
  await run(execPath, [join(ROOT, 'scripts/build-libraries.ts')], { env });
  const packing = ['pack', '--silent', '--pack-destination', folder.path, '-w', '@errand/tasks', '-w', '@errand/mcp'];
  const { stdout } = await run('npm', packing, { cwd: ROOT, env });
  const archives = stdout.trim().split('\n');
  await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...flags, ...archives.map((name) => join(folder.path, name))], {
    cwd: folder.path,
    env,
  });
});

afterAll(() => folder[Symbol.asyncDispose]());

async function missingEntries(name: string): Promise<readonly string[]> {
  const installed = join(folder.path, 'node_modules', name);
  const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.values(exports).map((entry) => (typeof entry === 'string' ? entry : entry.default));
  const found = await Promise.all(entries.map((entry) => readFile(join(installed, entry), 'utf8').catch(() => null)));
  return entries.filter((_, i) => found[i] === null);
}

describe('the packages, installed in an empty folder', () => {
  it('[TEST-08] run a task with nothing else', async () => {
    await writeFile(join(folder.path, 'tasks.js'), TASKS_PROGRAM);

    const { stdout } = await run(execPath, ['tasks.js'], { cwd: folder.path, env });

    expect(stdout).toBe('completed Hello, Al\n');
    expect(await missingEntries('@errand/tasks')).toEqual([]);
  });

  it('serve MCP with the first program of the README, and pass the conformance runner', async () => {
    const readme = await readFile(join(ROOT, 'packages/mcp/README.md'), 'utf8');
    const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
    await writeFile(join(folder.path, 'server.ts'), program.replace('port: 3000', 'port: 0'));
    await symlink(join(ROOT, 'node_modules/zod'), join(folder.path, 'node_modules/zod'));
    const server = spawn(execPath, ['server.ts'], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(server, 'exit');

    try {
      const [said] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
      const [url = ''] = /http:\S+/.exec(said) ?? [];
      const results: string[] = [];
      for (const scenario of CORE) {
        const args = [RUNNER, 'server', '--url', url, '--scenario', scenario, '-o', join(folder.path, scenario)];
        // When a check fails, the runner exits with 1, and the promise rejects.
        const { stdout } = await run(execPath, args, { cwd: ROOT, env });
        results.push(/^Passed: [1-9]\d*\/\d+, 0 failed/m.test(stdout) ? scenario : stdout);
      }
      expect(results).toEqual(CORE);
    } finally {
      server.kill();
      await ended;
    }
    expect(await missingEntries('@errand/mcp')).toEqual([]);
  });
});
