import { describe, expect, it } from 'vitest';
import { IS_LONG } from '../../../../../../test/e2e/counts.ts';
import { findPlanted } from './testing/kill-child.ts';
import { PLANTED } from './testing/planted-faults.ts';

const QUICK = ['ignored files are not looked for'];
const some = IS_LONG ? PLANTED : PLANTED.filter(({ name }) => QUICK.includes(name));

describe('a fault is found when it is planted', () => {
  it.each(some.map(({ name }) => name))(
    '%s',
    async (name) => {
      expect(await findPlanted(name)).not.toEqual([]);
    },
    300_000,
  );
});
