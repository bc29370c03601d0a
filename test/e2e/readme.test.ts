import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, ERRAND, serve, temporaryFolder } from './program.ts';

const run = promisify(execFile);

/** Does what the section asks for: first the greeting, then what the review wants. */
const AGENT = `#!/bin/sh
prompt="$(cat)"
case "$prompt" in
  *'Greet the whole world.'*) echo 'Hello, world!' > greeting.txt; echo 'The greeting is for the whole world now.' ;;
  *) echo 'Hello!' > greeting.txt; echo 'I added greeting.txt, which says hello.' ;;
esac
`;

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/;

/** The lines of the shell blocks in the second section of the README. */
async function typedLines(): Promise<readonly string[]> {
  const text = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const section = text.split(/^## /m)[1] ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => block.trimEnd().split('\n'));
}

describe('the second section of the README', () => {
  const open = new AsyncDisposableStack();
  let home: string;
  let environment: NodeJS.ProcessEnv;

  const type = async (line: string): Promise<string> => {
    const { stdout, stderr } = await run('sh', ['-c', line], { cwd: home, env: environment });
    expect(stderr, line).toBe('');
    return stdout;
  };
  const git = (...args: string[]) => run('git', ['-C', join(home, 'website'), ...args], { env: environment });

  beforeAll(async () => {
    home = open.use(await temporaryFolder()).path;
    const [bin, data, website] = [join(home, 'bin'), join(home, '.errand'), join(home, 'website')];
    await Promise.all([bin, data, website].map((folder) => mkdir(folder, { recursive: true })));
    await writeFile(join(bin, 'npx'), `#!/bin/sh\nshift\nexec ${execPath} ${ERRAND} "$@"\n`);
    await writeFile(join(bin, 'agent'), AGENT);
    await Promise.all(['npx', 'agent'].map((name) => chmod(join(bin, name), 0o755)));
    const executors = { agent: { kind: 'command', command: [join(bin, 'agent')] } };
    await writeFile(join(data, 'config.json'), JSON.stringify({ executors }));
    environment = cleanEnvironment({ HOME: home, XDG_CONFIG_HOME: '', PATH: `${bin}:${env.PATH}` });
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'user.name', 'Ana');
    await git('config', 'user.email', 'ana@localhost');
    await git('commit', '--quiet', '--allow-empty', '--message=First');
    open.use(await serve({ data }, { HOME: home }));
  });
  afterAll(() => open.disposeAsync());

  it('[L-CLI] goes from errand run to a merged branch in six commands, as they are printed', async () => {
    const lines = await typedLines();
    const first = lines.findIndex((line) => line.startsWith('npx errand run'));
    for (const line of lines.slice(0, first)) await type(line);

    const said: string[] = [];
    for (const line of lines.slice(first)) said.push(await type(line));

    expect(lines.slice(first)).toHaveLength(6);
    expect([...lines, ...said].filter((text) => ID.test(text))).toEqual([]);
    expect(said.at(-1)).toMatch(/^Merged WEB-1\.1 into main of website: [0-9a-f]{8}\./);
    expect((await git('show', 'main:greeting.txt')).stdout).toBe('Hello, world!\n');
    expect((await git('log', '-1', '--format=%s', 'main')).stdout).toBe('Merge WEB-1: Add a greeting\n');
    expect((await git('status', '--porcelain')).stdout).toBe('');
  });
});
