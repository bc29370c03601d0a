import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aTask } from '#testing/a-task';
import {
  answer,
  ask,
  type Change,
  end,
  setDraft,
  setProgress,
  setStatus,
  setStatusMessage,
  setVariables,
} from './changes.ts';
import { TaskError } from './errors.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { TASK_STATUSES, type TaskRecord, type TaskStatus } from './task.ts';
import { mergeVariables } from './variables.ts';

const key = fc.constantFrom('name', 'place', '__proto__', 'constructor');
const value = fc.dictionary(key, fc.constantFrom(1, 'text', null, true));
const request = fc.constant({ method: 'elicitation/create', params: {} } as const);

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom(...TASK_STATUSES).map((status) => setStatus(status, null, DEFAULT_LIMITS)),
  fc.constantFrom(
    end({ kind: 'cancelled' }),
    end({ kind: 'result', result: {} }),
    end({ kind: 'rpc_error', error: { code: -32603, message: 'no' } }),
  ),
  value.map((patch) => setVariables(patch, DEFAULT_LIMITS)),
  value.map((draft) => setDraft(draft)),
  fc.nat(9).map((progress) => setProgress(progress, 9)),
  fc.constant(setStatusMessage('on the way')),
  fc.tuple(key, request).map(([name, question]) => ask(name, question, DEFAULT_LIMITS)),
  fc.dictionary(key, fc.constant({ content: {} })).map(answer),
);

/** From these two, every other status may follow; from all others none. Not read from the code that is tested. */
const OPEN: readonly TaskStatus[] = ['working', 'input_required'];
const isEnded = (status: TaskStatus): boolean => !OPEN.includes(status);

/** Returns the record after the change, or the unchanged record when the change is refused. */
function attempt(record: TaskRecord, change: Change, now: number): TaskRecord {
  try {
    return change(record, now);
  } catch (error) {
    expect(error).toBeInstanceOf(TaskError);
    return record;
  }
}

describe('changes of a task', () => {
  it('[T1, T2, T3, TYPE-03, TEST-02, TEST-07] keep the rules of the state machine, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
        let record: TaskRecord = aTask();
        for (const [at, change] of changes.entries()) {
          const next = attempt(record, change, record.created_at + at);
          if (isEnded(record.status)) expect(next).toBe(record);
          expect(['completed', 'failed', 'cancelled', ...OPEN]).toContain(next.status);
          expect(next.outcome === null).toBe(!isEnded(next.status));
          if (next !== record) expect(next.updated_at).toBeGreaterThan(record.updated_at);
          record = next;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('[C2, C3, TEST-07] never ask a key twice, and never change an answer', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
        let record: TaskRecord = aTask();
        for (const change of changes) {
          const next = attempt(record, change, record.updated_at);
          for (const [name, input] of Object.entries(record.inputs)) {
            expect(next.inputs[name]?.request).toEqual(input.request);
            if (input.answer !== null) expect(next.inputs[name]?.answer).toEqual(input.answer);
          }
          record = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('[V1, HNDL-03, TEST-07] merge variables as one patch after the other would', () => {
    fc.assert(
      fc.property(value, value, value, (start, first, second) => {
        const inTurn = mergeVariables(mergeVariables(start, first), second);
        const atOnce = mergeVariables(start, Object.fromEntries([...Object.entries(first), ...Object.entries(second)]));

        expect(inTurn).toEqual(atOnce);
        expect(Object.values(inTurn)).not.toContain(null);
      }),
    );
  });
});
