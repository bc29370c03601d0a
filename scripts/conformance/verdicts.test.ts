import { describe, expect, it } from 'vitest';
import { conformancePage, verdictOf } from './verdicts.ts';

const success = { id: 'wire-schema-valid', status: 'SUCCESS' };
const failure = (errorMessage: string) => ({ id: 'check', status: 'FAILURE', errorMessage });

describe('what a scenario says of the product', () => {
  it('is that it passed, was skipped, or needs a feature that the product does not offer', () => {
    const verdicts = [
      verdictOf('ping', [success]),
      verdictOf('tasks-status-notifications', []),
      verdictOf('tools-call-image', [success, failure('Failed: Unknown tool: test_image_content')]),
      verdictOf('prompts-list', [success, failure('Failed: Method not found: prompts/list')]),
    ];

    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['passed', 'skipped', 'not offered', 'not offered']);
    expect(conformancePage([['2025-11-25', verdicts]])).toContain(
      '| `tools-call-image` | not offered: the tool `test_image_content` of the suite | 1 |',
    );
  });

  it('is that it failed when one check failed for another reason', () => {
    const checks = [failure('Unknown tool: greet'), failure('Expected HTTP 2xx, got 403')];

    expect(verdictOf('tasks-lifecycle', checks)).toMatchObject({
      outcome: 'failed',
      reason: 'check: Expected HTTP 2xx, got 403',
    });
  });
});
