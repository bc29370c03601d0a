import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { drain } from './drain.ts';
import { aTag, heard, killTagged, openProcesses, tagged, textOf } from './testing/live.ts';

using probe = await openProcesses({ isolation: 'auto' });

const STUBBORN = (tag: string) =>
  `trap "" TERM; (setsid sh -c 'trap "" TERM; sleep ${tag}; sleep ${tag}' >/dev/null 2>&1 &); echo up; sleep ${tag}; sleep ${tag}`;
const FORGETFUL = (tag: string) =>
  `(setsid env -i /bin/sh -c 'trap "" TERM; sleep ${tag}; sleep ${tag}' &) ; sleep 0.3; echo up`;

describe.concurrent.each(['auto', 'off'] as const)('programs of runs, isolation %s', (isolation) => {
  it('gives the program its input, its folder, exactly its environment, and nothing else', async () => {
    using processes = await openProcesses({ isolation });
    const execution_id = randomUUID();
    const open = openSync(processes.folder, 'r');

    const run = await processes.spawn({
      argv: ['sh', '-c', 'cat; pwd; env -u PWD; ls -l /proc/self/fd', 'name', '$(id) `id` "; id'],
      folder: processes.folder,
      env: { PATH: '/usr/bin:/bin', GIVEN: 'a "b" $c\nd' },
      execution_id,
      shows: [],
    });
    run.stdin.end('the prompt\n');
    const text = await textOf(run.stdout);
    closeSync(open);

    const [prompt, folder, ...rest] = text.split('\n');
    expect([prompt, folder]).toEqual(['the prompt', processes.folder]);
    expect(
      rest
        .slice(
          0,
          rest.findIndex((line) => line.startsWith('total')),
        )
        .sort(),
    ).toEqual(['GIVEN=a "b" $c', 'd', `NOVA_EXECUTION_ID=${execution_id}`, 'PATH=/usr/bin:/bin'].sort());
    expect(text).not.toContain(`-> ${processes.folder}`);
    expect(await run.exited).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['exit 0', { code: 0, signal: null }],
    ['exit 7', { code: 7, signal: null }],
    ['exit 255', { code: 255, signal: null }],
    ['kill -KILL $$', { code: null, signal: 'SIGKILL' }],
    ['kill -SEGV $$', { code: null, signal: 'SIGSEGV' }],
  ])('reports how a program ended: %s', async (script, exit) => {
    using processes = await openProcesses({ isolation });

    const run = await processes.shell(`echo said; ${script}`);

    expect(await textOf(run.stdout)).toBe('said\n');
    expect(await run.exited).toEqual(exit);
    expect(run.killed_for()).toBeNull();
  });

  it('refuses a missing program, a missing folder or an invalid variable, in words for people', async () => {
    using processes = await openProcesses({ isolation });
    const spec = { argv: ['sh'], folder: processes.folder, env: {}, execution_id: randomUUID(), shows: [] };

    await expect(processes.start(['no-such-agent', 'acp'])).rejects.toThrow(
      'no-such-agent is not installed or not on the PATH.',
    );
    await expect(processes.start(['./agent'])).rejects.toThrow('./agent does not exist');
    await expect(processes.start(['sh', 'x'.repeat(200_000)])).rejects.toThrow('arguments of the program are too long');
    await expect(processes.spawn({ ...spec, folder: '/no/such/folder' })).rejects.toThrow('folder to run in');
    await expect(processes.spawn({ ...spec, env: { 'A B': '1' } })).rejects.toThrow('"A B" cannot be the name');
  });

  it('asks a program to end before it kills it', async () => {
    using processes = await openProcesses({ isolation });
    const run = await processes.shell('trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.1; done');
    const said = heard(run.stdout, 'bye');
    await heard(run.stdout, 'up');

    await run.stop();

    await said;
    expect(await run.exited).toEqual({ code: 5, signal: null });
  });

  it('ends a grandchild in its own session that ignores SIGTERM', async () => {
    using processes = await openProcesses({ isolation });
    const tag = aTag();
    const run = await processes.shell(STUBBORN(tag));
    await heard(run.stdout, 'up');
    await vi.waitFor(() => expect(tagged(tag).length).toBeGreaterThan(2));

    await Promise.all([run.stop(), run.stop()]);

    expect(tagged(tag)).toEqual([]);
    expect(processes.errors).toEqual([]);
    await run.exited;
  });

  it('ends the processes that a program leaves behind when it ends by itself', async () => {
    using processes = await openProcesses({ isolation });
    const tag = aTag();
    const run = await processes.shell(`(setsid sleep ${tag} &) ; sleep ${tag} & echo done`);

    const text = await textOf(run.stdout);
    const exit = await run.exited;

    expect([text, exit.code]).toEqual(['done\n', 0]);
    expect(tagged(tag)).toEqual([]);
  });

  it('keeps the output of a program that ended before anybody read it', async () => {
    using processes = await openProcesses({ isolation });

    const run = await processes.shell('echo said');
    await vi.waitFor(() => expect(existsSync(`/proc/${run.pid}`)).toBe(false), { timeout: 60_000 });
    // Longer than output may be silent: as long as it takes to give up two pipes that nobody writes to.
    const givenUp = async (): Promise<false> => {
      for (let time = 0; time < 2; time++) await drain({ pipes: [], outputs: [new PassThrough()] });
      return false;
    };
    const isOver = await Promise.race([run.exited.then(() => true), givenUp()]);

    expect(isOver).toBe(false);
    expect(await textOf(run.stdout)).toBe('said\n');
    run.stderr.resume();
    expect(await run.exited).toEqual({ code: 0, signal: null });
  });

  it('reads all output, however much there is and however late it is read', async () => {
    using processes = await openProcesses({ isolation });
    const run = await processes.shell('head -c 3000000 /dev/zero');

    const exited = run.exited;
    let length = 0;
    for await (const chunk of run.stdout) {
      length += chunk.length;
      if (length < 500_000) await new Promise((resolve) => setTimeout(resolve, 50));
    }

    expect(length).toBe(3_000_000);
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('ends a run that starts too many processes, and says so', async () => {
    using processes = await openProcesses({ isolation, max_processes: 60 });
    const tag = aTag();
    const bomb = 'if [ $1 -gt 0 ]; then (setsid sh -c "$2" sh $(($1-1)) "$2" &); sh -c "$2" sh $(($1-1)) "$2" & fi';

    const run = await processes.start(['sh', '-c', `${bomb}; sleep ${tag}; :`, 'sh', '8', `${bomb}; sleep ${tag}; :`]);
    const exit = await run.exited;

    expect(exit).toEqual({ code: null, signal: 'SIGKILL' });
    expect(run.killed_for()).toBe('It had more than 60 processes at once.');
    expect(tagged(tag)).toEqual([]);
  });

  it('lets a run have as many processes as allowed', async () => {
    using processes = await openProcesses({ isolation, max_processes: 2000 });

    const run = await processes.shell('i=0; while [ $i -lt 100 ]; do sleep 1 & i=$((i+1)); done; wait');

    expect(await run.exited).toEqual({ code: 0, signal: null });
    expect(run.killed_for()).toBeNull();
  });
});

it('gives programs a namespace wherever the machine allows one', () => {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  const { status } = spawnSync('unshare', [
    ...user,
    '--pid',
    '--fork',
    '--kill-child',
    '--mount',
    '--mount-proc',
    'true',
  ]);

  expect(probe.isolation).toBe(status === 0 ? 'namespace' : 'group');
});

describe.skipIf(probe.isolation !== 'namespace')('programs in a namespace', () => {
  it('end with all processes that have left group, session, parent and environment', async () => {
    using processes = await openProcesses({ isolation: 'auto' });
    const tag = aTag();
    const run = await processes.shell(FORGETFUL(tag));
    await heard(run.stdout, 'up');

    await run.exited;

    expect(tagged(tag)).toEqual([]);
  });

  it('leave no dead children behind', async () => {
    using processes = await openProcesses({ isolation: 'auto' });

    const run = await processes.shell('for i in 1 2 3 4 5; do (sleep 0 &); done; sleep 0.5; ps -A -o stat=');

    expect(await textOf(run.stdout)).not.toContain('Z');
  });
});

describe.concurrent('programs without a namespace', () => {
  it('leave descendants behind when only their group is killed', async () => {
    const tag = aTag();
    const child = spawn('/bin/sh', ['-c', STUBBORN(tag)], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await vi.waitFor(() => expect(tagged(tag).length).toBeGreaterThan(3));

    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'exit');

    expect(tagged(tag).length).toBeGreaterThan(0);
    killTagged(tag);
  });

  it('with a hidden descendant that holds their output are not waited for, and end it with a control group', async () => {
    using processes = await openProcesses({ isolation: 'off' });
    const tag = aTag();
    const run = await processes.shell(FORGETFUL(tag));

    const text = await textOf(run.stdout);
    const exit = await run.exited;

    expect([text, exit.code]).toEqual(['up\n', 0]);
    expect(tagged(tag).length > 0).toBe(!processes.has_cgroups);
    killTagged(tag);
  });
});
