import { expect, it } from 'vitest';
import type { Inbox } from '../api/inbox.ts';
import { news } from './notify.ts';

const counts = { question: 0, permission: 0, review: 1, failed: 0, stalled: 0, job: 0 };
const inbox = (...at: readonly (readonly [id: string, minute: number])[]): Inbox => ({
  counts,
  rows: at.map(([id, minute]) => ({
    kind: 'question',
    task_key: 'SHO-1',
    attempt_id: null,
    attempt_key: null,
    approval_id: id,
    execution_id: null,
    title: null,
    text: null,
    details: null,
    options: [],
    by: null,
    since: new Date(minute * 60_000).toISOString(),
    review: null,
    claimed_until: null,
  })),
});

it('tells of an entry that is newer than the newest one before', () => {
  expect(news(inbox(['a', 1]), inbox(['b', 2]))?.approval_id).toBe('b');
  expect(news(inbox(), inbox(['b', 2]))?.approval_id).toBe('b');
});

it('tells of nothing at first, nor when the newest one was answered', () => {
  expect(news(undefined, inbox(['a', 1]))).toBeNull();
  expect(news(inbox(['b', 2]), inbox(['a', 1]))).toBeNull();
  expect(news(inbox(['b', 2]), inbox(['b', 2]))).toBeNull();
});
