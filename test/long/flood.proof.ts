import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { flood } from '../e2e/flood/flood.ts';

const SECONDS = Number(env.ERRAND_FLOOD_SECONDS ?? 60);

describe('a flood of everything that callers must not do', () => {
  it(
    `causes no errors, and no delay of half a second, for another token in ${SECONDS} s`,
    async () => {
      const report = await flood({ seconds: SECONDS, connections: 200, tasks: 200 });

      process.stderr.write(`${JSON.stringify(report)}\n`);
      expect(report).toMatchObject({ errors: [], probe_errors: [], has_recovered: true, is_alive: true });
      expect(report.calls).toBeGreaterThan(SECONDS);
      expect(report.p99_ms).toBeLessThan(500);
      expect(report.max_rss_mb).toBeLessThan(512);
      expect(report.recovery_ms).toBeLessThan(5_000);
    },
    120_000 + SECONDS * 1_000,
  );
});
