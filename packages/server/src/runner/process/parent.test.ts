import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aTag, openProcesses, tagged } from './testing/live.ts';
import { startParent } from './testing/start-parent.ts';

using probe = await openProcesses({ isolation: 'auto' });
const isRoot = process.getuid?.() === 0;
const users = isRoot ? [false, true] : [false];

const STUBBORN = (tag: string) =>
  `(setsid sh -c 'trap "" TERM; sleep ${tag}; sleep ${tag}' >/dev/null 2>&1 &); sleep 0.2; echo up; sleep ${tag}; sleep ${tag}`;
const SPY = 'env; for file in /proc/[0-9]*/environ; do tr "\\0" "\\n" < $file; done 2>/dev/null; echo end';
const SECRETS = { ERRAND_CANARY: 'canary-1', AWS_SECRET_ACCESS_KEY: 'canary-2', XDG_TOKEN: 'canary-3' };
const SHOWN = { LANG: 'C', XDG_CONFIG_HOME: '/tmp' };

describe.each(users)('a server that is killed (as nobody: %s)', (as_nobody) => {
  it.skipIf(probe.isolation !== 'namespace')('ends every process in its namespaces', async () => {
    const tag = aTag();
    const execution_id = randomUUID();
    using parent = await startParent({ isolation: 'auto', execution_id, script: STUBBORN(tag), as_nobody });
    expect(await parent.next()).toBe('up');
    expect(tagged(tag).length).toBeGreaterThan(2);

    await parent.kill();

    await expect.poll(() => tagged(tag)).toEqual([]);
    expect(parent.facts.isolation).toBe('namespace');
  });

  it('without a namespace leaves an orphan, which the next server finds and ends', async () => {
    using processes = await openProcesses({ isolation: 'off' });
    const tag = aTag();
    const execution_id = randomUUID();
    using parent = await startParent({ isolation: 'off', execution_id, script: STUBBORN(tag), as_nobody });
    expect(await parent.next()).toBe('up');

    await parent.kill();
    expect(tagged(tag).length).toBeGreaterThan(0);
    const found = await processes.sweep({ execution_id, ...parent.facts });

    expect(found).toBeGreaterThan(0);
    expect(tagged(tag)).toEqual([]);
    expect(await processes.sweep({ execution_id, ...parent.facts })).toBe(0);
  });
});

describe.each(users)('the environment of a server (as nobody: %s)', (as_nobody) => {
  it.skipIf(probe.isolation !== 'namespace')('shows a program only the allowed part', async () => {
    const run = {
      isolation: 'auto',
      execution_id: randomUUID(),
      script: SPY,
      env: { ...SECRETS, ...SHOWN },
      as_nobody,
    } as const;
    using parent = await startParent(run);

    const lines = await parent.rest();

    const names = new Set(lines.filter((line) => line.includes('=')).map((line) => line.split('=')[0]));
    expect([...names].sort()).toEqual(['LANG', 'NOVA_EXECUTION_ID', 'PATH', 'PWD', 'XDG_CONFIG_HOME']);
    expect(lines.join('\n')).not.toContain('canary');
    expect(lines.at(-1)).toBe('end');
  });

  it('is visible to a program without a namespace, but not in its own environment', async () => {
    const run = {
      isolation: 'off',
      execution_id: randomUUID(),
      script: SPY,
      env: { ...SECRETS, ...SHOWN },
      as_nobody,
    } as const;
    using parent = await startParent(run);

    const lines = await parent.rest();

    expect(lines).toContain('ERRAND_CANARY=canary-1');
  });
});
