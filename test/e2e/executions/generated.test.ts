import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, type Folder, temporaryFolder } from '../program.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SWAGGER = 'docs/swagger.yaml';
const CLIENT = 'packages/server/src/clients/generated';

/** What the generator reads. */
const SOURCES = ['ARCHITECTURE.md', 'Makefile', 'package.json', 'docs', 'packages', 'scripts', 'test'];
const MODULES = ['node_modules', 'packages/server/node_modules'];
const isSource = (path: string): boolean => !/[\\/](?:node_modules|dist)$/.test(path);

const clientIn = (root: string): string => readFileSync(join(root, CLIENT, 'errand-api.ts'), 'utf8');
const documentIn = (root: string): string => readFileSync(join(root, SWAGGER), 'utf8');

describe('the client out of docs/swagger.yaml', () => {
  let copy: Folder;
  beforeAll(async () => {
    copy = await temporaryFolder();
    for (const path of SOURCES) cpSync(join(ROOT, path), join(copy.path, path), { recursive: true, filter: isSource });
    for (const path of MODULES.filter((each) => existsSync(join(ROOT, each)))) {
      symlinkSync(join(ROOT, path), join(copy.path, path));
    }
  });
  afterAll(async () => {
    await copy?.[Symbol.asyncDispose]();
  });

  const run = (command: string, ...args: readonly string[]) =>
    spawnSync(command, args, { cwd: copy.path, env: cleanEnvironment(), encoding: 'utf8' });
  const make = (target: string): void => {
    const { status, stderr } = run('make', target);
    expect(status, stderr).toBe(0);
  };

  it('[R6.8, R6.9] is restored unchanged by make regenerate', () => {
    make('clean');
    expect(existsSync(join(copy.path, CLIENT))).toBe(false);

    make('regenerate');

    expect(readdirSync(join(copy.path, CLIENT))).toEqual(['errand-api.ts']);
    expect(clientIn(copy.path) === clientIn(ROOT)).toBe(true);
  });

  it('[R6.8] follows an edited document, which make regenerate keeps and the check compares with the tools', () => {
    const edited = documentIn(ROOT).replaceAll('step_name', 'step_title');
    writeFileSync(join(copy.path, SWAGGER), edited);

    make('regenerate');
    const { status, stderr } = run('npm', 'run', '--silent', 'generate', '--', '--check');

    expect(documentIn(copy.path) === edited).toBe(true);
    expect(clientIn(copy.path)).toContain('step_title: string;');
    expect(status).toBe(1);
    expect(stderr).toContain(`${SWAGGER} differs from the tools at `);
  });
});
