import { expect, it } from 'vitest';
import { lineOf, offered } from './kinds.ts';

it('says since when a stalled run is silent', () => {
  const since = '2026-11-16T12:00:00Z';

  expect(lineOf({ kind: 'stalled', text: null, since }, Date.parse(since) + 12 * 60_000)).toBe(
    'No sign of life for 12 min.',
  );
});

it('offers the kinds that there are, and the chosen one', () => {
  const counts = { question: 0, permission: 1, review: 0, failed: 0, stalled: 2, job: 0 };

  expect(offered(counts, 'review')).toEqual(['permission', 'review', 'stalled']);
});
