import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canBeKept, findOutside } from './outside.ts';

const MIB = 1024 * 1024;

let root = '';
const at = (...path: readonly string[]): string => join(root, ...path);
const folders = (): readonly string[] => [at('one', 'shop')];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'errand-outside-'));
  mkdirSync(at('one', 'shop'), { recursive: true });
  writeFileSync(at('one', 'shop', 'a.txt'), 'inside');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('files outside of the repositories', () => {
  it('are found by their paths, links as links, at most ten of them by name', async () => {
    expect(await findOutside(root, 'one', folders())).toBeNull();
    symlinkSync('/', at('one', 'all'));
    for (let n = 10; n < 22; n += 1) writeFileSync(at('one', `${n}.txt`), '');

    const found = await findOutside(root, 'one', folders());

    expect(found).toMatchObject({ total: 13 });
    expect(found?.paths).toHaveLength(10);
    expect((await findOutside(root, 'none', []))?.total).toBeUndefined();
  });

  it('can be kept unless they are too large, alone or with those that are already kept', async () => {
    const fill = (path: string, bytes: number): void => {
      writeFileSync(path, '');
      truncateSync(path, bytes);
    };
    fill(at('one', 'log'), 10 * MIB);
    const isLittle = await canBeKept(root, 'one', folders());
    fill(at('one', 'log'), 65 * MIB);
    const isMuch = await canBeKept(root, 'one', folders());
    fill(at('one', 'log'), 10 * MIB);
    mkdirSync(at('.kept', 'two-1'), { recursive: true });
    fill(at('.kept', 'two-1', 'log'), 1020 * MIB);

    const isFull = await canBeKept(root, 'one', folders());

    expect([isLittle, isMuch, isFull]).toEqual([true, false, false]);
  });
});
