import { describe, expect, it } from 'vitest';
import { openParts } from './open-parts.ts';

const closing =
  (closed: string[], fails: readonly string[] = []) =>
  (name: string) =>
  async () => {
    closed.push(name);
    if (fails.includes(name)) throw new Error(`${name} cannot be closed`);
  };

describe('parts of a process', () => {
  it('are closed in reverse when the next one cannot be opened', async () => {
    const closed: string[] = [];
    const close = closing(closed);

    const opening = openParts(async (parts) => {
      parts.defer(close('store'));
      parts.defer(close('tasks'));
      throw new Error('no worker');
    });

    await expect(opening).rejects.toThrow('no worker');
    expect(closed).toEqual(['tasks', 'store']);
  });

  it('fail with the error of the start, and are all closed, when a close fails as well', async () => {
    const closed: string[] = [];
    const close = closing(closed, ['tasks']);

    const opening = openParts(async (parts) => {
      parts.defer(close('store'));
      parts.defer(close('tasks'));
      throw new Error('no worker');
    });

    await expect(opening).rejects.toThrow('no worker');
    expect(closed).toEqual(['tasks', 'store']);
  });

  it('stay open until they are closed, in reverse and once', async () => {
    const closed: string[] = [];
    const close = closing(closed);

    const opened = await openParts(async (parts) => {
      parts.defer(close('store'));
      parts.defer(close('tasks'));
      return { name: 'served' };
    });

    expect({ name: opened.name, closed: [...closed] }).toEqual({ name: 'served', closed: [] });
    await opened.close();
    await opened.close();
    expect(closed).toEqual(['tasks', 'store']);
  });
});
