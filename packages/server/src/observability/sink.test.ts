import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createSink } from './sink.ts';

describe('the sink', () => {
  it('writes every line whole and in order, however many come at once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'errand-sink-'));
    const file = join(folder, 'log');
    const sink = createSink(openSync(file, 'a'));
    const lines = Array.from({ length: 5_000 }, (_, i) => `line ${i} ${'ä'.repeat(i % 50)}\n`);

    for (const line of lines) sink.write(line);
    sink.flush();

    expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
    rmSync(folder, { recursive: true });
  });

  it('holds lines until the given promise resolves', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errand-sink-'));
    const file = join(folder, 'log');
    const announced = Promise.withResolvers<void>();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const sink = createSink(openSync(file, 'a'), announced.promise);
    const fd = openSync(file, 'a');

    sink.write('x'.repeat(10_000));
    sink.write('\nsecond\n');
    const timers = vi.getTimerCount();
    vi.useRealTimers();
    writeSync(fd, 'announcement\n');
    announced.resolve();

    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/^announcement\nx+\nsecond\n$/));
    expect(timers).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it('writes held lines when it is flushed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'errand-sink-'));
    const file = join(folder, 'log');
    const sink = createSink(openSync(file, 'a'), new Promise(() => {}));

    sink.write('why it did not start\n');
    sink.flush();

    expect(readFileSync(file, 'utf8')).toBe('why it did not start\n');
    rmSync(folder, { recursive: true });
  });

  it('lets the process end when the reader has gone', async () => {
    const source = `
      import { createSink } from ${JSON.stringify(new URL('./sink.ts', import.meta.url).href)};
      const sink = createSink(1);
      process.stdin.once('data', () => {
        for (let i = 0; i < 1000; i++) sink.write('x'.repeat(1000) + '\\n');
        setTimeout(() => { sink.write('last\\n'); sink.flush(); process.exitCode = 7; process.stdin.destroy(); }, 50);
      });
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });

    child.stdout.destroy();
    child.stdin.write('go');
    const [code] = await once(child, 'exit');

    expect(code).toBe(7);
  });
});
