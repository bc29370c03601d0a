import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IS_LONG } from '../../../../../../test/e2e/counts.ts';
import { findPlanted } from './testing/kill-child.ts';
import { PLANTED } from './testing/planted-faults.ts';

const QUICK = ['ignored files are not looked for'];
const some = IS_LONG ? PLANTED : PLANTED.filter(({ name }) => QUICK.includes(name));

describe('a fault is found when it is planted', () => {
  it('in a line that its file still has, once', () => {
    const gone = PLANTED.filter(({ file, find }) => {
      const source = readFileSync(new URL(file, import.meta.url), 'utf8');
      return source.split(find).length !== 2;
    });
    expect(gone.map(({ name }) => name)).toEqual([]);
  });

  it.each(some.map(({ name }) => name))(
    '%s',
    async (name) => {
      expect(await findPlanted(name)).not.toEqual([]);
    },
    300_000,
  );
});
