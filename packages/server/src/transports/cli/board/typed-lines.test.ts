import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { typedLines } from './typed-lines.ts';

describe('what is typed', () => {
  it('is handed out line by line, in its order', async () => {
    const keys = Object.assign(new PassThrough(), { isTTY: true });
    const lines = typedLines(keys);

    keys.end('1\nyes, do\n');
    await once(keys, 'end');

    expect([lines?.take(), lines?.take(), lines?.take()]).toEqual(['1', 'yes, do', null]);
  });

  it('is not waited for where nobody types', () => {
    expect(typedLines(new PassThrough())).toBeNull();
  });
});
