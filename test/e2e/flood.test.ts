import { describe, expect, it } from 'vitest';
import { flood } from './flood/flood.ts';

const MAX_RSS_MB = 512;

describe('a flood of everything that callers must not do', () => {
  it('leaves the server alive, small and without errors for a well-behaved token', async () => {
    const report = await flood({ seconds: 3, connections: 30, tasks: 100 });

    expect(report.calls).toBeGreaterThan(0);
    expect(report).toMatchObject({ errors: [], probe_errors: [], has_recovered: true, is_alive: true });
    expect(report.max_rss_mb).toBeLessThan(MAX_RSS_MB);
  });
});
