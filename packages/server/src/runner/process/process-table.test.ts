import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { markOf, parseStat, readProcessTable, readPs, startTimeOf } from './process-table.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i).join(' ');

describe('the process table', () => {
  it.each(['node', 'a b', 'x) R 1 1 1 (y', '((', ')) '])('parses a program that calls itself "%s"', (name) => {
    const line = `42 (${name}) S ${numbers(4, 52)}\n`;

    expect(parseStat(42, line)).toEqual({ row: { pid: 42, parent: 4, session: 6, started: '22' }, live: true });
  });

  it.each([
    ['S', 1, true],
    ['Z', 1, false],
    ['Z', 3, true],
    ['X', 1, false],
  ])('takes a process in state %s with %i threads for live: %s', (state, threads, live) => {
    const line = `42 (sh) ${state} ${numbers(4, 19)} ${threads} ${numbers(21, 52)}`;

    expect(parseStat(42, line)?.live).toBe(live);
  });

  it('knows when a process started, and that there is none', () => {
    expect(startTimeOf(process.pid)).toMatch(/^\d+$/);
    expect(startTimeOf(2 ** 22 + 1)).toBeNull();
  });

  it('reads the same about a process through ps as through /proc', () => {
    const [here, there] = [readProcessTable().get(process.pid), readPs().get(process.pid)];

    expect(there?.parent).toBe(here?.parent);
    expect(Date.parse(there?.started ?? '')).toBeLessThan(Date.now());
  });

  it('reads the mark of a process, and nothing of a process that ended or has no mark', async () => {
    const execution_id = randomUUID();
    const child = spawn('/bin/sleep', ['60'], { env: { NOVA_EXECUTION_ID: execution_id }, stdio: 'ignore' });
    const exited = once(child, 'exit');
    const pid = child.pid ?? 0;

    await expect.poll(() => markOf(pid)).toBe(execution_id);
    child.kill('SIGKILL');
    await exited;

    expect(markOf(pid)).toBeNull();
    expect(markOf(1)).toBeNull();
  });
});
