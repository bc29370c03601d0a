import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, temporaryFolder } from './program.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'packages/tasks');

interface Manifest {
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, { readonly default: string } | string>>;
}

/** Nothing of this repository's own ways to run reaches whoever has installed the package. */
const env = { ...cleanEnvironment(), NODE_OPTIONS: '' };

const PROGRAM = `
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

describe('the package @errand/tasks', () => {
  it('[TEST-08] runs where it is installed, with nothing else', async () => {
    await using folder = await temporaryFolder();
    await run(execPath, [join(ROOT, 'scripts/build-libraries.ts'), 'tasks'], { env });
    // Written by npm's own rules: these, and the manifest.
    const manifest = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as Manifest;
    const installed = join(folder.path, 'node_modules/@errand/tasks');
    for (const file of ['package.json', ...manifest.files]) {
      await cp(join(PACKAGE, file), join(installed, file), { recursive: true });
    }
    await writeFile(join(folder.path, 'program.mjs'), PROGRAM);

    const { stdout } = await run(execPath, ['program.mjs'], { cwd: folder.path, env });

    expect(stdout).toBe('completed Hello, Al\n');
    for (const entry of Object.values(manifest.exports)) {
      const path = join(installed, typeof entry === 'string' ? entry : entry.default);
      await expect(readFile(path, 'utf8'), path).resolves.toBeTypeOf('string');
    }
  });
});
