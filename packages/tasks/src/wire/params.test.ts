import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readTaskId, readToolCall } from './params.ts';
import { readTaskIds } from './rev-2026-07-28/params.ts';

const STRANGE = ['', 'x', randomUUID().toUpperCase(), `${randomUUID()}\0`, 'a'.repeat(2_000), '../../etc/passwd'];

describe('params', () => {
  it('[O2, T4] refuse a malformed task id as unknown before the store is read', () => {
    for (const taskId of STRANGE) {
      expect(() => readTaskId({ taskId })).toThrow(expect.objectContaining({ code: 'not_found' }));
    }
    expect(readTaskIds({ notifications: { taskIds: STRANGE } })).toEqual([]);
  });

  it('[B8] have a limit of task ids', () => {
    const taskIds = Array.from({ length: 150 }, () => randomUUID());

    expect(readTaskIds({ notifications: { taskIds } })).toEqual(taskIds.slice(0, 100));
  });

  it.each([
    [{ name: 'greet' }, { tool: 'greet', arguments: {}, progress_token: null }],
    [
      { name: 'greet', arguments: { a: 1 } },
      { tool: 'greet', arguments: { a: 1 }, progress_token: null },
    ],
    [
      { name: 'greet', _meta: { progressToken: 0 } },
      { tool: 'greet', arguments: {}, progress_token: 0 },
    ],
    [
      { name: 'greet', _meta: { progressToken: 'p' } },
      { tool: 'greet', arguments: {}, progress_token: 'p' },
    ],
  ])('[A12, INTG-11] of the call %j are read with the progress token', (params, call) => {
    expect(readToolCall(params)).toEqual(call);
  });
});
