import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detect, type KnownVersions } from './detect.ts';
import type { KnownAgent } from './known/known-agent.ts';

const agent: KnownAgent = {
  name: 'pal',
  title: 'Pal',
  kind: 'acp',
  argv: ['pal', 'acp'],
  package_name: '@pal/cli',
  login: 'run pal login',
  credentials: { variables: ['PAL_KEY'], files: [{ path: '.pal/auth', holds: /token/ }], status: ['status'] },
  passes: ['PAL_KEY'],
  env_to_ask: { PAL_QUIET: 'q' },
  variants: { plan: {} },
  conversation: null,
};

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'errand-detect-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<void> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
}

const look = (extra: Readonly<Record<string, string>> = {}, versions: KnownVersions = new Map()) =>
  detect(agent, { PATH: `${join(home, 'bin')}:/bin:/usr/bin`, HOME: home, ...extra }, versions);

/** A program that reports its version and whether it is logged in. */
const pal = (status: number) =>
  `#!/bin/sh\ncase "$1" in --version) echo "pal 1.2.3-beta";; status) exit ${status};; *) echo ran > ${home}/ran;; esac\n`;

describe('a known agent', () => {
  it('is ready when it is installed and logged in', async () => {
    await put('bin/pal', pal(0));

    expect(await look()).toEqual({
      executor: 'pal',
      title: 'Pal',
      kind: 'acp',
      variants: ['plan'],
      version: '1.2.3-beta',
      is_ready: true,
      problem: null,
    });
  });

  it('says how it is installed when it is not on the PATH', async () => {
    expect(await look()).toMatchObject({
      is_ready: false,
      version: null,
      problem: 'not installed: npm install -g @pal/cli',
    });
  });

  it('says how to log in when it is not logged in', async () => {
    await put('bin/pal', pal(1));

    expect(await look()).toMatchObject({ is_ready: false, problem: 'not logged in: run pal login' });
  });

  it('counts as logged in by a variable or a file', async () => {
    await put('bin/pal', pal(1));
    const byVariable = await look({ PAL_KEY: 'k' });
    await put('.pal/auth', 'nothing of note');
    const byWrongFile = await look();
    await put('.pal/auth', 'token: t');

    const byFile = await look();

    expect([byVariable, byWrongFile, byFile].map(({ is_ready }) => is_ready)).toEqual([true, false, true]);
  });

  it.each([
    ['>=22.5', 'needs Node 22 or later, found 20'],
    ['^18 || >=20', null],
    [undefined, null],
  ])('needs the Node that its package declares: %s', async (node, problem) => {
    await put('lib/pal/package.json', JSON.stringify({ name: '@pal/cli', engines: { node } }));
    await put('lib/pal/dist/package.json', JSON.stringify({ type: 'module' }));
    await put('lib/pal/dist/pal.js', '#!/usr/bin/env node\n');
    await put('bin/node', '#!/bin/sh\n[ $# = 1 ] && echo v20.11.0 || echo 1.0.0\n');
    await symlink('../lib/pal/dist/pal.js', join(home, 'bin/pal'));

    expect(await look({ PAL_KEY: 'k' })).toMatchObject({ is_ready: problem === null, problem });
  });

  it('does not need the Node that a package around it or inside it declares', async () => {
    const other = { name: 'other', engines: { node: '>=24' } };
    await put('lib/pal/package.json', JSON.stringify({ name: '@pal/cli', engines: { node: '>=18' } }));
    await put('lib/pal/dist/package.json', JSON.stringify(other));
    await put('lib/package.json', JSON.stringify(other));
    await put('lib/pal/dist/pal.js', '#!/usr/bin/env node\n');
    await put('bin/node', '#!/bin/sh\n[ $# = 1 ] && echo v20.11.0 || echo 1.0.0\n');
    await symlink('../lib/pal/dist/pal.js', join(home, 'bin/pal'));

    expect(await look({ PAL_KEY: 'k' })).toMatchObject({ is_ready: true, problem: null });
  });

  it('says that there is no Node at all', async () => {
    await put('bin/pal', '#!/usr/bin/env node\n');

    const found = await look({ PAL_KEY: 'k', PATH: join(home, 'bin') });

    expect(found).toMatchObject({ is_ready: false, problem: 'needs Node, found none on the PATH' });
  });

  it('says how to make it executable when it is not', async () => {
    await put('bin/pal', pal(0));
    await chmod(join(home, 'bin/pal'), 0o644);

    const { problem } = await look();

    expect(problem).toBe(`${home}/bin/pal is not executable: chmod +x ${home}/bin/pal`);
  });

  it('reports its version without the end of the sentence', async () => {
    await put('bin/pal', '#!/bin/sh\necho "Pal CLI 1.0.102."\n');

    expect(await look({ PAL_KEY: 'k' })).toMatchObject({ version: '1.0.102' });
  });

  it('is not ready when it does not report its version', async () => {
    await put('bin/pal', '#!/bin/sh\necho broken >&2; exit 127\n');

    expect(await look({ PAL_KEY: 'k' })).toMatchObject({
      is_ready: false,
      problem: 'does not start: pal --version fails',
    });
  });

  it('sees only the allowed part of the environment', async () => {
    await put('bin/pal', '#!/bin/sh\necho "1.0.0-$PAL_KEY$PAL_QUIET$ERRAND_TOKEN"\n');

    expect(await look({ PAL_KEY: 'key', ERRAND_TOKEN: 'secret' })).toMatchObject({ version: '1.0.0-keyq' });
  });

  it('is asked for its version once, and again after it was replaced', async () => {
    const versions: KnownVersions = new Map();
    const telling = (version: string) => `#!/bin/sh\necho asked >> ${home}/log\necho ${version}\n`;
    await put('bin/pal', telling('1.0.0'));
    await look({ PAL_KEY: 'k' }, versions);
    const again = await look({ PAL_KEY: 'k' }, versions);
    await put('bin/pal', telling('1.10.0'));

    const replaced = await look({ PAL_KEY: 'k' }, versions);

    expect([again.version, replaced.version]).toEqual(['1.0.0', '1.10.0']);
    expect(await readFile(join(home, 'log'), 'utf8')).toBe('asked\nasked\n');
  });
});
