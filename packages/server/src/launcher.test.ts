import { spawn } from 'node:child_process';
import { hash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LAUNCHER = join(import.meta.dirname, '../bin/errand.cjs');
const REPORT =
  'process.stdout.write(JSON.stringify({ argv: process.argv.slice(2), sqlite: process.versions.sqlite }));';
/** Answers the first line that it reads. */
const EARLY = `exports.answerFirst = () => new Promise((resolve) => {
  process.stdin.once('readable', () => {
    process.stdin.unshift(process.stdin.read());
    const results = [{ id: 1, key: 'k', result: '{}' }];
    process.stdout.write('early\\n', () => resolve({ input: process.stdin, results }));
  });
});`;
const place = { root: '' };

const at = (...parts: string[]): string => join(place.root, ...parts);

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Installs a package with this program. */
async function install(program: string): Promise<void> {
  await mkdir(at('node_modules/errand/bin'), { recursive: true });
  await copyFile(LAUNCHER, at('node_modules/errand/bin/errand.cjs'));
  await write(at('node_modules/errand/package.json'), '{"type":"module"}');
  await write(at('node_modules/errand/dist/main.js'), program);
  await write(
    at('old.cjs'),
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, sqlite: '3.45.1' } });",
  );
}

async function installNode(): Promise<void> {
  await mkdir(at('node_modules/node/bin'), { recursive: true });
  await symlink(process.execPath, at('node_modules/node/bin/node'));
}

function start(
  args: readonly string[],
  { old }: { old: boolean },
  launcher = at('node_modules/errand/bin/errand.cjs'),
) {
  const preload = old ? ['--require', at('old.cjs')] : [];
  const child = spawn(process.execPath, [...preload, launcher, ...args], {
    env: { PATH: at('empty'), HOME: place.root },
  });
  return { child, ended: Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]) };
}

async function run(args: readonly string[], how: { old: boolean }, launcher?: string) {
  const [stdout, stderr, [code]] = await start(args, how, launcher).ended;
  return { stdout, stderr, code: code as number | null };
}

beforeEach(async () => {
  place.root = await mkdtemp(join(tmpdir(), 'errand-launcher-'));
});
afterEach(() => rm(place.root, { recursive: true, force: true }));

describe('the launcher', () => {
  it('runs the program in its own process on a sound Node', async () => {
    await install(`${REPORT} process.exitCode = 4;`);

    const { stdout, code } = await run(['todo', '--json'], { old: false });

    expect(JSON.parse(stdout)).toMatchObject({ argv: ['todo', '--json'] });
    expect(code).toBe(4);
  });

  it('runs it on a Node installed beside it when its own is too old', async () => {
    await install(`${REPORT} process.exitCode = 3;`);
    await installNode();

    const { stdout, code } = await run(['token', 'list'], { old: true });

    expect(JSON.parse(stdout)).toEqual({ argv: ['token', 'list'], sqlite: process.versions.sqlite });
    expect(code).toBe(3);
  });

  it('says in one line what is missing and how to get it, and ends with 2', async () => {
    await install(REPORT);

    const { stdout, stderr, code } = await run([], { old: true });

    expect(stdout).toBe('');
    expect(stderr).toMatch(/^errand: needs Node\.js .* npm install node\S*@24\n$/);
    expect(code).toBe(2);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
    'passes %s on to the Node it started, and ends as that does',
    async (signal) => {
      await install(`process.on('${signal}', () => process.exit(7)); console.log('up'); setInterval(() => {}, 1000);`);
      await installNode();
      const { child, ended } = start([], { old: true });
      await once(child.stdout, 'data');

      child.kill(signal);

      const [, , [code]] = await ended;
      expect(code).toBe(7);
    },
  );

  it('takes the Node it started with it when it is killed', async () => {
    const says = "process.on('SIGTERM', () => { console.log('ended'); process.exit(); });";
    await install(`${says} console.log('up'); setInterval(() => {}, 1000);`);
    await installNode();
    const { child, ended } = start([], { old: true });
    await once(child.stdout, 'data');

    child.kill('SIGKILL');

    // The output closes when the last process that holds it ends.
    expect((await ended)[0]).toBe('up\nended\n');
  });

  it('ends when the program ends, and hides its own marker variable from it', async () => {
    await install('process.stdout.write(String(process.env.ERRAND_LAUNCHED));');
    await installNode();

    expect(await run([], { old: true })).toEqual({ stdout: 'undefined', stderr: '', code: 0 });
  });

  it('answers an MCP client first, and gives the program every byte and what was answered', async () => {
    await install(`
      const handover = await globalThis[Symbol.for('errand.handover')];
      const { buffer } = await import('node:stream/consumers');
      const { hash } = await import('node:crypto');
      process.stdout.write(JSON.stringify({ handover, sent: hash('sha256', await buffer(process.stdin)) }));`);
    await installNode();
    await write(at('node_modules/errand/dist/early.cjs'), EARLY);
    const sent = randomBytes(1_000_000);
    const { child, ended } = start(['mcp'], { old: true });

    for (let at = 0, size = 1; at < sent.length; at += size, size = 1 + randomInt(at < 500 ? 9 : 200_000)) {
      child.stdin.write(sent.subarray(at, at + size));
      if (at < 500) await new Promise(setImmediate);
    }
    child.stdin.end();

    const [stdout, stderr, [code]] = await ended;
    const [early, late = ''] = stdout.split('\n');
    expect({ early, stderr, code }).toEqual({ early: 'early', stderr: '', code: 0 });
    expect(JSON.parse(late)).toEqual({
      handover: { results: [{ id: 1, key: 'k', result: '{}' }] },
      sent: hash('sha256', sent),
    });
  });

  it('ends as a program that reads nothing of what the client sends', async () => {
    await install('process.exit(5);');
    await installNode();
    await write(at('node_modules/errand/dist/early.cjs'), EARLY);
    const { child, ended } = start(['mcp'], { old: true });

    // The client's end breaks when the launcher ends.
    child.stdin.on('error', () => undefined);
    child.stdin.end(randomBytes(1_000_000));

    const [stdout, stderr, [code]] = await ended;
    expect({ stdout, stderr, code }).toEqual({ stdout: 'early\n', stderr: '', code: 5 });
  });

  it('holds a signal back until the program that it started for an MCP client listens', async () => {
    await install(`
      process.on('SIGTERM', () => process.exit(7));
      process.send('listening');
      setInterval(() => {}, 1000);`);
    await installNode();
    await write(at('node_modules/errand/dist/early.cjs'), EARLY);
    const { child, ended } = start(['mcp'], { old: true });
    child.stdin.write('x');
    await once(child.stdout, 'data');

    child.kill('SIGTERM');

    const [, , [code]] = await ended;
    expect(code).toBe(7);
  });

  it('passes on what an MCP client sent before a signal, and ends the input of the program', async () => {
    await install(`
      const { text } = await import('node:stream/consumers');
      process.on('SIGTERM', async () => {
        process.stdout.write(String((await text(process.stdin)).length));
        process.exit(7);
      });
      process.send('listening');
      setInterval(() => {}, 1000);`);
    await installNode();
    await write(at('node_modules/errand/dist/early.cjs'), EARLY);
    const { child, ended } = start(['mcp'], { old: true });
    child.stdin.on('error', () => undefined);
    child.stdin.write('x'.repeat(60_000));
    await once(child.stdout, 'data');

    child.stdin.write('y'.repeat(300_000));
    child.kill('SIGTERM');

    const [stdout, , [code]] = await ended;
    expect({ stdout, code }).toEqual({ stdout: 'early\n360000', code: 7 });
  });

  it('leaves an MCP client to the program when its own Node cannot answer', async () => {
    await install(`
      const { text } = await import('node:stream/consumers');
      process.stdout.write(typeof globalThis[Symbol.for('errand.handover')] + (await text(process.stdin)));`);
    await installNode();
    await write(at('node_modules/errand/dist/early.cjs'), 'this is too new;');
    const { child, ended } = start(['mcp'], { old: true });

    child.stdin.end('hello');

    expect((await ended)[0]).toBe('undefinedhello');
  });

  it('runs the source of a checkout that is newer than the bundle', async () => {
    await install("console.log('bundle');");
    await write(at('node_modules/errand/src/main.ts'), "console.log('source');");
    const soon = new Date(Date.now() + 10_000);

    await utimes(at('node_modules/errand/src/main.ts'), soon, soon);
    const newer = await run([], { old: false });
    await utimes(at('node_modules/errand/dist/main.js'), new Date(Date.now() + 20_000), new Date(Date.now() + 20_000));
    const older = await run([], { old: false });

    // Node strips no types below node_modules, and names the file in its error: so the source was started.
    expect(newer.stderr).toContain('src/main.ts');
    expect(newer.stderr).toMatch(/^errand: runs from source, .*npm run build/);
    expect(older.stdout).toBe('bundle\n');
    expect(older.stderr).toBe('');
  });

  it('runs the source of a checkout with the sources of its other packages, also when they are not built', async () => {
    await mkdir(at('checkout/bin'), { recursive: true });
    await copyFile(LAUNCHER, at('checkout/bin/errand.cjs'));
    await write(at('checkout/package.json'), '{"type":"module"}');
    await write(at('checkout/src/main.ts'), "import { from } from 'wire';\nconsole.log(from);");
    await write(
      at('checkout/node_modules/wire/package.json'),
      '{"type":"module","exports":{"errand-source":"./source.js","default":"./dist.js"}}',
    );
    await write(at('checkout/node_modules/wire/source.js'), "export const from = 'source';");

    const { stdout } = await run([], { old: false }, at('checkout/bin/errand.cjs'));

    expect(stdout).toBe('source\n');
  });

  it('trusts a Node that npm installed, and starts it once', async () => {
    await install(REPORT);
    await write(at('node_modules/node/package.json'), '{"version":"24.21.0"}');
    await write(
      at('node_modules/node/bin/node'),
      `#!/bin/sh\necho "$2" >>"${at('starts')}"\nexec "${process.execPath}" "$@"`,
    );
    await chmod(at('node_modules/node/bin/node'), 0o755);

    const { stdout } = await run(['token', 'list'], { old: true });

    expect(JSON.parse(stdout)).toMatchObject({ argv: ['token', 'list'] });
    expect(await readFile(at('starts'), 'utf8')).toBe('token\n');
  });

  it('passes over a Node that may not be executed', async () => {
    await install(REPORT);
    await write(at('node_modules/node/package.json'), '{"version":"24.21.0"}');
    await write(at('node_modules/node/bin/node'), 'no program');

    const { stderr, code } = await run([], { old: true });

    expect(stderr).toMatch(/^errand: needs Node\.js .*\n$/);
    expect(code).toBe(2);
  });

  it('says in one line that the Node it found does not start, and ends with 2', async () => {
    await install(REPORT);
    await write(at('node_modules/node/package.json'), '{"version":"24.21.0"}');
    await write(at('node_modules/node/bin/node'), '#!/no/such/program\n');
    await chmod(at('node_modules/node/bin/node'), 0o755);

    const { stderr, code } = await run([], { old: true });

    expect(stderr).toMatch(/^errand: cannot start \S+node_modules\/node\/bin\/node: .*\n$/);
    expect(code).toBe(2);
  });

  it('keeps compiled code where no other user can write', async () => {
    await install("import { x } from './x.js'; console.log(x);");
    await write(at('node_modules/errand/dist/x.js'), 'export const x = 1;');

    await run([], { old: false });

    const cache = at('node_modules/errand/.cache');
    expect((await stat(cache)).mode & 0o777).toBe(0o700);
    expect(await readdir(cache)).not.toEqual([]);
  });

  it('keeps none in a folder that other users can write', async () => {
    await install("console.log('up');");
    await mkdir(at('node_modules/errand/.cache'));
    await chmod(at('node_modules/errand/.cache'), 0o777);

    const { stdout } = await run([], { old: false });

    expect(stdout).toBe('up\n');
    expect(await readdir(at('node_modules/errand/.cache'))).toEqual([]);
  });

  it('keeps warnings other than those of its own engines', async () => {
    await install("process.emitWarning('SQLite is new', 'ExperimentalWarning'); process.emitWarning('mind the gap');");

    const { stderr } = await run([], { old: false });

    expect(stderr).toContain('mind the gap');
    expect(stderr).not.toContain('SQLite');
  });
});
