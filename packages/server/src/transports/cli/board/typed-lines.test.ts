import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { typedLines } from './typed-lines.ts';

describe('typed lines', () => {
  it('are returned one by one, in order', async () => {
    const keys = Object.assign(new PassThrough(), { isTTY: true });
    const lines = typedLines(keys);

    keys.end('1\nyes, do\n');
    await once(keys, 'end');

    expect([lines?.take(), lines?.take(), lines?.take()]).toEqual(['1', 'yes, do', null]);
  });

  it('are not waited for without a terminal', () => {
    expect(typedLines(new PassThrough())).toBeNull();
  });
});
