import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startTimeOf } from './process-table.ts';
import { aTag, killTagged, openProcesses, tagged } from './testing/live.ts';

/** A process that no run of ours has started. */
async function aStranger(tag: string, env: Record<string, string> = {}) {
  const child = spawn('/bin/sleep', [tag], { detached: true, env, stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  return { pid, pid_started: startTimeOf(pid) ?? '', [Symbol.dispose]: () => killTagged(tag) };
}

describe('sweep', () => {
  it('ends the recorded process when pid, start time and boot are the same', async () => {
    using processes = await openProcesses({ isolation: 'off' });
    const tag = aTag();
    using left = await aStranger(tag);
    const { pid, pid_started } = left;

    const found = await processes.sweep({
      execution_id: randomUUID(),
      pid,
      pid_started,
      boot_id: processes.machine.boot_id,
    });

    expect(found).toBe(1);
    expect(tagged(tag)).toEqual([]);
  });

  it.each([
    ['another process that has got its pid', { pid_started: '1' }],
    ['a process of another boot', { boot_id: randomUUID() }],
    ['a process whose boot is not known', { boot_id: null }],
    ['a process whose start is not known', { pid_started: null }],
  ])('leaves %s alone', async (_what, wrong) => {
    using processes = await openProcesses({ isolation: 'off' });
    const tag = aTag();
    using stranger = await aStranger(tag);
    const { pid, pid_started } = stranger;
    const { boot_id } = processes.machine;

    const found = await processes.sweep({ execution_id: randomUUID(), pid, pid_started, boot_id, ...wrong });

    expect(found).toBe(0);
    expect(tagged(tag)).toEqual([pid]);
  });

  it('finds a run without a record by its mark, and no run with a similar mark', async () => {
    using processes = await openProcesses({ isolation: 'off' });
    const [tag, other, execution_id] = [aTag(), aTag(), randomUUID()];
    using _left = await aStranger(tag, { A: '1', NOVA_EXECUTION_ID: execution_id });
    using _similar = await aStranger(other, {
      A: `NOVA_EXECUTION_ID=${execution_id}`,
      NOVA_EXECUTION_ID: `${execution_id}0`,
    });

    const found = await processes.sweep({ execution_id, pid: null, pid_started: null, boot_id: null });

    expect(found).toBe(1);
    expect([tagged(tag).length, tagged(other).length]).toEqual([0, 1]);
  });

  it('ends a marked program but not the terminal that it was started in', async () => {
    using processes = await openProcesses({ isolation: 'off' });
    const [tag, other, execution_id] = [aTag(), aTag(), randomUUID()];
    const script = `sleep ${other} & NOVA_EXECUTION_ID=${execution_id} sleep ${tag} & echo up; wait`;
    const terminal = spawn('/bin/sh', ['-c', script], { detached: true, env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(terminal.stdout, 'data');
    const closed = once(terminal, 'exit');

    const find = () => processes.sweep({ execution_id, pid: null, pid_started: null, boot_id: null });
    await expect.poll(find).toBe(1);

    expect(terminal.exitCode).toBeNull();
    expect(tagged(other).length).toBeGreaterThan(0);
    killTagged(other);
    await closed;
  });
});
