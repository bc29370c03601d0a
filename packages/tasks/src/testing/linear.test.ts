import { describe, expect, it } from 'vitest';
import type { TaskRecord } from '#task';
import { aTask, nextOf } from './a-task.ts';
import { createHistory, type Operation, record, type Step } from './history.ts';
import { isLinearizable, violationsOf } from './linear.ts';

const NEVER = Number.POSITIVE_INFINITY;
const first = aTask();
const left = nextOf(first, { status_message: 'left' });
const right = nextOf(first, { status_message: 'right' });
const claim = { worker_id: 'w', tools: ['count'], lease_ms: 100, limit: 1 };
const claimed = nextOf(first, { epoch: 1, lease: { worker_id: 'w', until: 1_100 } });

const at = (call: number, end: number, step: Step): Operation => ({ call, end, step });
const inserted = (call: number, end: number): Operation =>
  at(call, end, { kind: 'insert', record: first, outcome: 'inserted' });
const won = (call: number, end: number, draft: TaskRecord): Operation =>
  at(call, end, { kind: 'replace', record: draft, outcome: { ok: true } });
const lost = (call: number, end: number, draft: TaskRecord, current: TaskRecord | null): Operation =>
  at(call, end, { kind: 'replace', record: draft, outcome: { ok: false, current } });
const got = (call: number, end: number, outcome: TaskRecord | null, owner_id = first.owner_id): Operation =>
  at(call, end, { kind: 'get', owner_id, task_id: first.task_id, outcome });
const took = (call: number, end: number, outcome: TaskRecord | null): Operation =>
  at(call, end, { kind: 'claim', claim, outcome });

const GOOD: Readonly<Record<string, readonly Operation[]>> = {
  'nothing at all': [],
  'one after the other': [inserted(1, 2), got(3, 4, first), won(5, 6, left), got(7, 8, left)],
  'a read that overlaps the insertion and misses it': [inserted(1, 4), got(2, 3, null), got(5, 6, first)],
  'two writers at once, of whom one wins': [inserted(1, 2), won(3, 6, left), lost(4, 5, right, left)],
  'a read of the old state while the write is under way': [inserted(1, 2), won(3, 6, left), got(4, 5, first)],
  'a read of the new state while the write is under way': [inserted(1, 2), won(3, 6, left), got(4, 5, left)],
  'a write of unknown outcome that is seen much later': [
    inserted(1, 2),
    at(3, NEVER, { kind: 'replace', record: left, outcome: null }),
    got(4, 5, first),
    got(6, 7, left),
  ],
  'a write of unknown outcome that never happened': [
    inserted(1, 2),
    at(3, NEVER, { kind: 'replace', record: left, outcome: null }),
    won(4, 5, right),
    got(6, 7, right),
  ],
  'an insertion of unknown outcome before one that is refused': [
    at(1, NEVER, { kind: 'insert', record: first, outcome: null }),
    at(2, 3, { kind: 'insert', record: first, outcome: 'exists' }),
  ],
  'a claim, and a writer that comes too late': [inserted(1, 2), took(3, 4, claimed), lost(5, 6, left, claimed)],
  'a claim of unknown outcome that is seen later': [inserted(1, 2), took(3, NEVER, null), got(4, 5, claimed)],
  'a claim after the lease has run out': [
    inserted(1, 2),
    took(3, 4, claimed),
    took(5, 6, nextOf(claimed, { epoch: 2, lease: { worker_id: 'w', until: 1_200 } })),
  ],
  'a stranger who finds nothing': [inserted(1, 2), got(3, 4, null, 'sub:mallory')],
  'an insertion beyond the quota': [
    at(1, 2, { kind: 'insert', record: first, outcome: 'quota_exceeded' }),
    got(3, 4, null),
  ],
};

const BAD: Readonly<Record<string, readonly Operation[]>> = {
  'a read of what nobody wrote': [got(1, 2, first)],
  'a read that misses what was there': [inserted(1, 2), got(3, 4, null)],
  'two insertions of one id': [inserted(1, 4), inserted(2, 3)],
  'a refusal of an id that was free': [at(1, 2, { kind: 'insert', record: first, outcome: 'exists' })],
  'two winners from one version': [inserted(1, 2), won(3, 6, left), won(4, 5, right)],
  'a lost write': [inserted(1, 2), won(3, 4, left), got(5, 6, first)],
  'reads that go back': [inserted(1, 2), won(3, 8, left), got(4, 5, left), got(6, 7, first)],
  'a write that loses to nobody': [inserted(1, 2), lost(3, 4, left, first)],
  'a loser that is told what was not there': [inserted(1, 2), won(3, 4, left), lost(5, 6, right, first)],
  'a write seen before it was called': [inserted(1, 2), got(3, 4, left), won(5, 6, left)],
  'one task for two claimants': [inserted(1, 2), took(3, 6, claimed), took(4, 5, claimed)],
  'a claim under the old epoch': [inserted(1, 2), took(3, 4, { ...claimed, epoch: 0 })],
  'a claim without a new version': [inserted(1, 2), took(3, 4, { ...claimed, version: 1 })],
  'a claim while the lease holds': [
    inserted(1, 2),
    took(3, 4, claimed),
    took(5, 6, nextOf(claimed, { epoch: 2, lease: { worker_id: 'w', until: 1_199 } })),
  ],
  'a stranger who finds the task': [inserted(1, 2), got(3, 4, first, 'sub:mallory')],
  'a stranger who writes': [inserted(1, 2), won(3, 4, { ...left, owner_id: 'sub:mallory' })],
  'a half-written record': [inserted(1, 2), won(3, 4, left), got(5, 6, { ...left, variables: { torn: true } })],
};

describe('the search for an order', () => {
  it.each(Object.entries(GOOD))('[S13] accepts %s', (_, operations) => {
    expect(isLinearizable(operations)).toBe(true);
  });

  it.each(Object.entries(BAD))('[S13] refuses %s', (_, operations) => {
    expect(isLinearizable(operations)).toBe(false);
  });

  it('[S13] comes to an end on long histories of many clients', () => {
    const operations = [inserted(1, 2)];
    let state = first;
    for (let round = 0; round < 100; round += 1) {
      const start = 10 + round * 20;
      const next = nextOf(state, { status_message: `round ${round}` });
      for (let i = 0; i < 6; i += 1) operations.push(lost(start + i, start + 19 - i, nextOf(state), next));
      operations.push(won(start + 7, start + 8, next), got(start + 6, start + 10, state));
      state = next;
    }

    expect(isLinearizable(operations)).toBe(true);
    expect(isLinearizable([...operations, got(5_000, 5_001, first)])).toBe(false);
  });

  it('[S13] names only the task whose history no order explains', () => {
    const other = aTask();
    const healthy = at(3, 4, { kind: 'insert', record: other, outcome: 'inserted' });
    const sick = got(1, 2, first);

    const violations = violationsOf({ operations: [sick, healthy] });

    expect(violations).toStrictEqual([[sick]]);
  });

  it('[S13] records a failed write as unknown, and does not record a failed read', async () => {
    const history = createHistory();
    const away = async (): Promise<never> => {
      throw new Error('away');
    };
    const store = record(
      {
        name: 'away',
        max_record_bytes: 0,
        now: () => 0,
        insert: async () => 'inserted',
        get: away,
        replace: away,
        list: away,
        claim: away,
        sweep: away,
        trim: away,
        subscribe: () => () => undefined,
        close: async () => undefined,
        [Symbol.asyncDispose]: async () => undefined,
      },
      history,
    );

    await store.insert(first, 1);
    const failures = await Promise.allSettled([
      store.replace(left),
      store.claim(claim),
      store.get('sub:alice', first.task_id),
      store.list('sub:alice', null, 1),
    ]);

    expect(failures.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    expect(history.operations).toStrictEqual([
      inserted(1, 2),
      at(3, NEVER, { kind: 'replace', record: left, outcome: null }),
      at(4, NEVER, { kind: 'claim', claim, outcome: null }),
    ]);
  });
});
