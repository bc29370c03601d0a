import { describe, expect, it } from 'vitest';
import { countChecks, runConformance } from './conformance.ts';

describe('conformance', () => {
  it('passes every scored check of both frozen sets', { timeout: 120_000 }, async () => {
    const { passed, failed, output } = await runConformance();

    expect(failed, output).toBe(0);
    expect(passed).toBeGreaterThan(200);
  });

  it('counts what belongs to the revision and leaves extensions out', () => {
    const output = [
      '✓ ping: 2 passed, 0 failed',
      '✗ tools-list: 1 passed, 3 failed',
      '✗ tasks-lifecycle: 1 passed, 8 failed',
      'Total: 4 passed, 11 failed',
      'Not scored for 2026-07-28: 1 scenario(s) run, 1 failing.',
      '  ✗ tasks-lifecycle (extension)',
    ].join('\n');

    expect(countChecks(output)).toEqual({ passed: 3, failed: 3 });
  });
});
