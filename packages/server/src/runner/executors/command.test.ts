import { describe, expect, it } from 'vitest';
import { runCommand } from './command.ts';
import { play, program, scripted, textsOf } from './testing/play.ts';

describe.concurrent('a command', () => {
  it('gets the prompt on its standard input, and what it prints becomes the feed and the summary', async () => {
    const argv = scripted('command');

    const { end, feed } = await play(runCommand, { argv, prompt: 'say first\nsay and last' });

    expect(feed).toEqual([
      { kind: 'output', text: 'first' },
      { kind: 'output', text: 'and last' },
    ]);
    expect(end).toEqual({ status: 'completed', reason: null, summary: 'first\nand last' });
  });

  it.each([
    ['exit 3', 'exit code 3'],
    ['crash', 'ended by SIGSEGV'],
  ])('fails when it ends by %s', async (prompt, reason) => {
    const argv = scripted('command');

    const { end } = await play(runCommand, { argv, prompt });

    expect(end).toMatchObject({ status: 'failed', reason });
  });

  it('is read on its standard error too, and to a last line without an end', async () => {
    const argv = program("console.error('a warning'); process.stdout.write('no newline')");

    const { end, feed } = await play(runCommand, { argv });

    expect(feed).toContainEqual({ kind: 'output', text: 'a warning' });
    expect(feed).toContainEqual({ kind: 'output', text: 'no newline' });
    expect(end.summary).toBe('no newline');
  });

  it('cannot control a terminal, nor write what no database accepts', async () => {
    const bytes = [0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x72, 0x65, 0x64, 0x00, 0x07, 0xff, 0xc3, 0xa9, 0x0d, 0x0a];
    const argv = program(`process.stdout.write(Buffer.from(${JSON.stringify(bytes)}))`);

    const { feed } = await play(runCommand, { argv });

    expect(feed).toEqual([{ kind: 'output', text: 'red\uFFFDé' }]);
  });

  it('shows the last text of a line that was overwritten', async () => {
    const argv = program("process.stdout.write('10%\\r50%\\r100%\\r\\ndone\\n')");

    const { feed } = await play(runCommand, { argv });

    expect(feed.map(({ text }) => text)).toEqual(['100%', 'done']);
  });

  it('is read up to 4,000 characters of a line, cut between characters', async () => {
    const argv = program("process.stdout.write('😀'.repeat(1_000_000) + '\\nafter')");

    const { feed } = await play(runCommand, { argv });

    const [long, after] = feed.map(({ text }) => text);
    expect(long).toHaveLength(4_000);
    expect(long?.isWellFormed()).toBe(true);
    expect(long?.endsWith('…')).toBe(true);
    expect(after).toBe('after');
  });

  it('is summarised by its last 20 lines, of 2,000 characters at most', async () => {
    const short = program('for (let i = 1; i <= 30; i++) console.log(i)');
    const long = program("for (let i = 1; i <= 30; i++) console.log('x'.repeat(500))");

    const [few, many] = [await play(runCommand, { argv: short }), await play(runCommand, { argv: long })];

    expect(few.end.summary?.split('\n')).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 11)));
    expect(many.end.summary).toHaveLength(2_000);
  });

  it('need not read its prompt', async () => {
    const argv = program("process.stdin.destroy(); console.log('enough')");

    const { end } = await play(runCommand, { argv, prompt: 'x'.repeat(5_000_000) });

    expect(end).toMatchObject({ status: 'completed', summary: 'enough' });
  });

  it('is over when it has ended, even if a child process holds its output open', async () => {
    const holder = 'setInterval(() => {}, 1000)';
    const argv = program(
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(holder)}], { stdio: 'inherit' });
      console.log('done'); setTimeout(() => process.exit(0), 50)`,
    );

    const { end } = await play(runCommand, { argv });

    expect(end).toMatchObject({ status: 'completed', summary: 'done' });
  });

  it('may print far more than fits in memory', async () => {
    const argv = program(
      "const chunk = 'x'.repeat(65536); let left = 4096; const go = () => { while (left-- > 0) if (!process.stdout.write(chunk)) return process.stdout.once('drain', go); }; go()",
    );
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 5);
    const before = process.memoryUsage().rss;

    const played = await play(runCommand, { argv });
    clearInterval(watch);

    expect(played.end.status).toBe('completed');
    expect(textsOf(played, 'output').map(({ length }) => length)).toEqual([4_000]);
    // The agent printed 256 MiB in one line.
    expect(most - before).toBeLessThan(160 * 1024 * 1024);
  });

  it('has failed as stopped when the run was stopped', async () => {
    const stop = new AbortController();
    const argv = program("console.log('here'); setTimeout(() => process.exit(0), 300)");

    const { end } = await play(runCommand, { argv, signal: stop.signal, heard: () => stop.abort() });

    expect(end).toMatchObject({ status: 'failed', reason: 'stopped' });
  });
});
