import { describe, expect, it } from 'vitest';
import { countChecks, runConformance } from './conformance.ts';

describe('conformance', () => {
  it('passes every check of both frozen sets and all scenarios of tasks', async () => {
    const { passed, failed, output } = await runConformance();

    expect(failed, output).toBe(0);
    expect(passed).toBeGreaterThan(250);
    expect(output.match(/^✓ tasks-\S+: [1-9]\d* passed, 0 failed$/gm)).toHaveLength(9);
    // The runner always skips this scenario.
    expect(output).toContain('✓ tasks-status-notifications: 0 passed, 0 failed');
  });

  it('counts what belongs to the revision and the extension of tasks, and leaves other extensions out', () => {
    const output = [
      '✓ ping: 2 passed, 0 failed',
      '✗ tools-list: 1 passed, 3 failed',
      '✗ tasks-lifecycle: 1 passed, 8 failed',
      '✗ sep-2640-skills-list: 1 passed, 2 failed',
      'Total: 5 passed, 13 failed',
      'Not scored for 2026-07-28: 2 scenario(s) run, 2 failing.',
      '  ✗ tasks-lifecycle (extension)',
      '  ✗ sep-2640-skills-list (extension)',
    ].join('\n');

    expect(countChecks(output)).toEqual({ passed: 4, failed: 11 });
  });
});
