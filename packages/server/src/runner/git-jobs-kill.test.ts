import { describe, expect, it } from 'vitest';
import { IS_LONG, times } from '../../../../test/e2e/counts.ts';
import { aJobStage } from './testing/job-stage.ts';

/** In `npm test` a step in the middle and those around the transactions, in `test:long` every step that changes something. */
const READS =
  /git (?:rev-parse|config|merge-base|worktree|ls-files|diff-index|diff-files|diff-tree|check-attr|symbolic-ref|for-each-ref|rev-list|cat-file)/;
const DECIDING = ['after plan', 'before git checkout-index', 'before finish'];

describe('[L-SHIP] a worker that is killed', () => {
  it.each(IS_LONG ? (['merge', 'squash', 'rebase'] as const) : (['squash'] as const))(
    '[L-SHIP] between any two steps of a %s leaves a job that the next worker ends once, in all repositories',
    async (mode) => {
      await using stage = await aJobStage(mode);
      const names = (await stage.work({ worker_id: 'worker-0', dead: [], at: 0 })) ?? [];
      expect(await stage.faults()).toEqual([]);
      const steps = names.flatMap((name, at) =>
        (IS_LONG ? !READS.test(name) : DECIDING.includes(name)) ? [{ name, at: at + 1 }] : [],
      );
      expect(steps.length).toBeGreaterThanOrEqual(DECIDING.length);
      const found: unknown[] = [];
      for (const { name, at } of steps) {
        stage.reset();
        expect(await stage.work({ worker_id: 'worker-1', dead: [], at })).toBeNull();
        await stage.recover({ worker_id: 'worker-2', dead: ['worker-1'] });
        const faults = await stage.faults();
        if (faults.length > 0) found.push({ name, at, faults });
      }

      expect(found).toEqual([]);
    },
    times({ whole: 3_600_000, part: 120_000 }),
  );
});
