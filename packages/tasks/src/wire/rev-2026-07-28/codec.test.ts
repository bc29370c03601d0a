import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aTask } from '#testing/a-task';
import { VARIABLES_META } from '#wire/meta';
import { anyRecord, aQuestion } from '#wire/testing/any-record';
import { faultsOf } from '#wire/testing/faults-of';
import { declaresTasks, declareTasks, missingCapability, TASKS_EXTENSION } from './extension.ts';
import { ACK, encodeCreated, encodeDetailed, encodeNotification } from './task.ts';

const conforms = (definition: string, message: object): void =>
  expect(faultsOf('extension', definition, message)).toEqual([]);

describe('the schema of the tasks extension', () => {
  it('[B1, TEST-01] takes every message about a task', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        conforms('CreateTaskResult', encodeCreated(record));
        conforms('GetTaskResult', encodeDetailed(record));
        conforms('TaskStatusNotification', { jsonrpc: '2.0', ...encodeNotification(record) });
      }),
    );
  });

  it('[B1, B4, B5] takes the acknowledgement of an update and of a cancellation', () => {
    conforms('UpdateTaskResult', ACK);
    conforms('CancelTaskResult', ACK);
  });
});

describe('the codec of 2026-07-28', () => {
  const record = aTask({ task_id: 'a', created_at: 1_764_000_000_000, ttl_ms: 60_000, poll_interval_ms: 500 });
  const flat = {
    taskId: 'a',
    status: 'working',
    createdAt: '2025-11-24T16:00:00.000Z',
    lastUpdatedAt: '2025-11-24T16:00:00.000Z',
    ttlMs: 60_000,
    pollIntervalMs: 500,
  };

  it('[B1] writes a new task flat, with its `resultType`', () => {
    expect(encodeCreated(record)).toEqual({ resultType: 'task', ...flat });
  });

  it('[B1, B3] writes nothing that JSON would change', () => {
    fc.assert(
      fc.property(anyRecord, (any) => {
        const detailed = encodeDetailed(any);

        // Not compared by Vitest: it takes a variable named `constructor` for the class of its object.
        expect(isDeepStrictEqual(JSON.parse(JSON.stringify(detailed)), detailed)).toBe(true);
      }),
    );
  });

  it('[B3] shows open questions only while input is required', () => {
    const inputs = {
      city: { request: aQuestion(), answer: { action: 'accept' } },
      day: { request: aQuestion(), answer: null },
    };

    const asking = encodeDetailed({ ...record, status: 'input_required', inputs });

    expect(asking).toEqual({
      resultType: 'complete',
      ...flat,
      status: 'input_required',
      inputRequests: { day: aQuestion() },
    });
    expect(encodeDetailed({ ...record, status: 'cancelled', outcome: { kind: 'cancelled' }, inputs })).toEqual({
      resultType: 'complete',
      ...flat,
      status: 'cancelled',
    });
  });

  it('[B3] shows a result of this generation, with `resultType`', () => {
    const result = { content: [{ type: 'text', text: '21°' }] };

    const done = encodeDetailed({ ...record, status: 'completed', outcome: { kind: 'result', result } });

    const shown = { ...result, resultType: 'complete' };
    expect(done).toEqual({ resultType: 'complete', ...flat, status: 'completed', result: shown });
    expect(faultsOf('2026-07-28', 'CallToolResult', shown)).toEqual([]);
  });

  it('[B6] shows a failed tool as completed', () => {
    const result = { content: [{ type: 'text', text: 'No such city.' }], isError: true };

    const failed = encodeDetailed({ ...record, status: 'failed', outcome: { kind: 'tool_error', result } });

    expect(failed).toMatchObject({ status: 'completed', result, statusMessage: 'No such city.' });
    expect(failed).not.toHaveProperty('error');
  });

  it('[B3, B6] shows a JSON-RPC error as the reason of a failure', () => {
    const error = { code: -32603, message: 'Out of paper.', data: { tray: 2 } };

    const failed = encodeDetailed({ ...record, status: 'failed', outcome: { kind: 'rpc_error', error } });

    expect(failed).toMatchObject({ status: 'failed', error, statusMessage: 'Out of paper.' });
    expect(failed).not.toHaveProperty('result');
  });

  it('[B8] sends the same in a notification as `tasks/get` answers', () => {
    const task = { ...record, variables: { city: 'Oslo' } };

    const { method, params } = encodeNotification(task, { 'com.example/subscription': 7 });

    const { resultType, ...asked } = encodeDetailed(task);
    expect(method).toBe('notifications/tasks');
    expect(resultType).toBe('complete');
    expect(params).toEqual({
      ...asked,
      _meta: { [VARIABLES_META]: { city: 'Oslo' }, 'com.example/subscription': 7 },
    });
  });

  it('[HNDL-02] shows the variables in _meta, and no _meta without any', () => {
    const meta = { [VARIABLES_META]: { city: 'Oslo' } };

    expect(encodeDetailed({ ...record, variables: { city: 'Oslo' } })._meta).toEqual(meta);
    expect(encodeCreated({ ...record, variables: { city: 'Oslo' } })._meta).toEqual(meta);
    expect(encodeDetailed(record)).not.toHaveProperty('_meta');
    expect(encodeNotification(record).params).not.toHaveProperty('_meta');
  });

  it.each([
    [{ extensions: { [TASKS_EXTENSION]: {} } }, true],
    [{ extensions: { [TASKS_EXTENSION]: true } }, false],
    [{ extensions: {} }, false],
    [{ tasks: { list: {}, cancel: {} } }, false],
    [{ experimental: { tasks: {} } }, false],
    [undefined, false],
  ])('[B2, B9] takes %j for a declaration of tasks: %s', (capabilities, declared) => {
    expect(declaresTasks(capabilities)).toBe(declared);
  });

  it('[B2, B9] names the missing capability as the schema says', () => {
    const { code, message, data } = missingCapability();

    const error = { code, message, data };
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: declareTasks() } });
    expect(faultsOf('2026-07-28', 'MissingRequiredClientCapabilityError', { jsonrpc: '2.0', id: 1, error })).toEqual(
      [],
    );
    expect(faultsOf('2026-07-28', 'ServerCapabilities', declareTasks())).toEqual([]);
  });
});
