import { expect, it } from 'vitest';
import { lineOf, offered } from './kinds.ts';

const since = '2026-11-16T12:00:00Z';
const later = Date.parse(since) + 12 * 60_000;
const row = { text: null, since, review: null, claimed_until: null };

it('says since when a stalled run is silent, and when its claim returns', () => {
  const until = new Date(2026, 10, 16, 14, 19).toISOString();

  expect(lineOf({ ...row, kind: 'stalled' }, later)).toBe('No sign of life for 12 min.');
  expect(lineOf({ ...row, kind: 'stalled', claimed_until: until }, later)).toBe(
    'No sign of life for 12 min. The claim returns at 14:19.',
  );
});

it('says what there is to read', () => {
  const review = { files: 5, added: 148, removed: 38, criteria_done: 3, criteria_total: 4 };

  expect(lineOf({ ...row, kind: 'review', review }, later)).toBe(
    'Ready to read: +148 −38 in 5 files, 3 of 4 criteria ticked',
  );
  expect(lineOf({ ...row, kind: 'review', review: { ...review, files: 0, criteria_total: 0 } }, later)).toBe(
    'Ready to read: nothing changed',
  );
});

it('offers the kinds that there are, and the chosen one', () => {
  const counts = { question: 0, permission: 1, review: 0, failed: 0, stalled: 2, job: 0 };

  expect(offered(counts, 'review')).toEqual(['permission', 'review', 'stalled']);
});
