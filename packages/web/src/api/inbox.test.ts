import { expect, it } from 'vitest';
import { type Inbox, type InboxRow, idOf, total, withoutRows } from './inbox.ts';

const aRow = (fields: Partial<InboxRow>): InboxRow => ({
  kind: 'review',
  task_key: 'SHO-1',
  attempt_id: 'a',
  attempt_key: 'SHO-1.1',
  approval_id: null,
  execution_id: null,
  title: 'Fix the login',
  text: null,
  details: null,
  options: [],
  by: null,
  since: '2026-11-16T12:00:00Z',
  review: null,
  claimed_until: null,
  ...fields,
});

const inbox: Inbox = {
  rows: [aRow({ kind: 'question', approval_id: 'q' }), aRow({}), aRow({ kind: 'failed' })],
  counts: { question: 1, permission: 0, review: 4, failed: 1, stalled: 0, job: 0 },
};

it('names an entry by its question, or by its kind and attempt', () => {
  expect(inbox.rows.map(idOf)).toEqual(['q', 'review-SHO-1.1', 'failed-SHO-1.1']);
});

it('subtracts rows that are taken out from the counts, and keeps counting rows that are not loaded', () => {
  const left = withoutRows(inbox, new Set(['q', 'review-SHO-1.1', 'unknown']));

  expect(left.rows.map(idOf)).toEqual(['failed-SHO-1.1']);
  expect(left.counts).toMatchObject({ question: 0, review: 3, failed: 1 });
  expect([total(inbox.counts), total(left.counts)]).toEqual([6, 4]);
});
