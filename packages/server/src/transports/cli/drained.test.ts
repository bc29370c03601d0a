import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { drained } from './drained.ts';

const FOREVER_MS = 2 ** 31 - 1;

const nobody = () => new Writable({ write: () => undefined });

describe('a stream', () => {
  it('is drained when its reader has everything', async () => {
    const taken: string[] = [];
    const take = (chunk: Buffer, done: () => void): void => {
      taken.push(String(chunk));
      done();
    };
    const stream = new Writable({ write: (chunk, _, done) => void setImmediate(take, chunk, done) });
    stream.write('one');
    stream.write('two');

    await drained(stream, FOREVER_MS);

    expect(taken.join('')).toBe('onetwo');
  });

  it('is drained when nothing was written, or when it is closed', async () => {
    const closed = nobody();
    closed.write('one');
    closed.destroy();

    const both = Promise.all([drained(nobody(), FOREVER_MS), drained(closed, FOREVER_MS)]);

    await expect(both).resolves.toHaveLength(2);
  });

  it('is waited for no longer than the timeout', async () => {
    const stream = nobody();
    stream.write('one');

    await drained(stream, 1);

    expect(stream.writableLength).toBeGreaterThan(0);
  });
});
