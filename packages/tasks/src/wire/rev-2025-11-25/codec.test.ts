import {
  CreateTaskResultSchema,
  GetTaskResultSchema,
  ListTasksResultSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TASK_STATUSES } from '#task';
import { aTask } from '#testing/a-task';
import { VARIABLES_META } from '#wire/meta';
import { anyRecord } from '#wire/testing/any-record';
import { definitionOf, faultsOf } from '#wire/testing/faults-of';
import { clientTaskCapabilities, declareTasks, serverTaskCapabilities, toolExecution } from './capabilities.ts';
import { encodeProgress, encodeStatusNotification } from './notifications.ts';
import { encodeResult } from './result.ts';
import {
  encodeCreated,
  encodeTask,
  encodeTaskWithVariables,
  MODEL_IMMEDIATE_RESPONSE,
  RELATED_TASK,
  relatedTask,
} from './task.ts';

const conforms = (definition: string, message: object): void =>
  expect(faultsOf('2025-11-25', definition, message)).toEqual([]);

const notification = (message: object): object => ({ jsonrpc: '2.0', ...message });

describe('the codec of 2025-11-25', () => {
  it('[A1, TYPE-01, TYPE-07, TEST-01] writes every message about a task as the schema says', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        conforms('Task', encodeTask(record));
        conforms('GetTaskResult', encodeTaskWithVariables(record));
        conforms('CancelTaskResult', encodeTaskWithVariables(record));
        conforms('CreateTaskResult', encodeCreated(record));
        conforms('ListTasksResult', { tasks: [encodeTaskWithVariables(record)] });
        conforms('TaskStatusNotification', notification(encodeStatusNotification(record)));
        const progress = encodeProgress(record);
        if (progress !== null) conforms('ProgressNotification', notification(progress));
      }),
    );
  });

  it('[A1, TYPE-01, TEST-01] writes messages that the official SDK reads back unchanged', () => {
    const read = (schema: { readonly parse: (value: unknown) => unknown }, message: unknown): void =>
      expect(schema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);

    fc.assert(
      fc.property(anyRecord, (record) => {
        read(GetTaskResultSchema, encodeTaskWithVariables(record));
        read(CreateTaskResultSchema, encodeCreated(record));
        read(ListTasksResultSchema, { tasks: [encodeTask(record)] });
        read(TaskStatusNotificationSchema, encodeStatusNotification(record));
      }),
    );
  });

  it('[A1, TYPE-01, TEST-01] writes nothing that JSON would change', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const task = encodeTask(record);

        const messages = [
          task,
          encodeTaskWithVariables(record),
          encodeCreated(record),
          encodeStatusNotification(record),
        ];
        expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);
        expect(new Date(task.createdAt).getTime()).toBe(record.created_at);
        expect(task.ttl).toBe(record.ttl_ms);
      }),
    );
  });

  it('[T1, TYPE-02] knows exactly the statuses of the schema', () => {
    const { enum: statuses } = definitionOf('2025-11-25', 'TaskStatus');

    expect(TASK_STATUSES.toSorted()).toEqual(statuses.toSorted());
  });

  it('[A3] writes a whole task flat', () => {
    const record = aTask({ task_id: 'a', created_at: 1_764_000_000_000, ttl_ms: 60_000, poll_interval_ms: 500 });

    expect(encodeTaskWithVariables({ ...record, status_message: 'Half way.', variables: { step: 2 } })).toEqual({
      taskId: 'a',
      status: 'working',
      statusMessage: 'Half way.',
      createdAt: '2025-11-24T16:00:00.000Z',
      lastUpdatedAt: '2025-11-24T16:00:00.000Z',
      ttl: 60_000,
      pollInterval: 500,
      _meta: { [VARIABLES_META]: { step: 2 } },
    });
  });

  it('[HNDL-01, HNDL-02] shows the variables in _meta, and no _meta without any', () => {
    const record = aTask({ variables: { city: 'Oslo' } });

    expect(encodeTaskWithVariables(record)._meta).toEqual({ [VARIABLES_META]: { city: 'Oslo' } });
    expect(encodeCreated(record)._meta).toEqual({ [VARIABLES_META]: { city: 'Oslo' } });
    expect(encodeStatusNotification(record).params._meta).toEqual({ [VARIABLES_META]: { city: 'Oslo' } });
    expect(encodeTaskWithVariables(aTask())).not.toHaveProperty('_meta');
    expect(encodeCreated(aTask())).not.toHaveProperty('_meta');
  });

  it('[A11, TYPE-10, INTG-12] gives the model the text for the time while the task runs', () => {
    const { _meta: meta } = encodeCreated(aTask({ immediate_response: 'On it.' }));

    expect(MODEL_IMMEDIATE_RESPONSE).toBe('io.modelcontextprotocol/model-immediate-response');
    expect(meta).toEqual({ [MODEL_IMMEDIATE_RESPONSE]: 'On it.' });
  });

  it('[A4, TYPE-04] answers an unchanged result with its related task', () => {
    const result = { content: [{ type: 'text', text: '21°' }], _meta: { 'com.example/source': 'yr' } };

    const encoded = encodeResult({ task_id: 'a', outcome: { kind: 'result', result } });

    expect(encoded).toEqual({ result: { ...result, _meta: { ...result._meta, [RELATED_TASK]: { taskId: 'a' } } } });
    conforms('RelatedTaskMetadata', { ...(relatedTask('a')[RELATED_TASK] as object) });
    conforms('CallToolResult', 'result' in encoded ? encoded.result : {});
  });

  it('[A4, A7] answers the result of a tool that failed as a result', () => {
    const result = { content: [{ type: 'text', text: 'No such city.' }], isError: true };

    const encoded = encodeResult({ task_id: 'a', outcome: { kind: 'tool_error', result } });

    expect(encoded).toEqual({ result: { ...result, _meta: { [RELATED_TASK]: { taskId: 'a' } } } });
  });

  it('[A4] answers the JSON-RPC error of the plain call', () => {
    const error = { code: -32099, message: 'Out of paper.', data: { tray: 2 } };

    expect(encodeResult({ task_id: 'a', outcome: { kind: 'rpc_error', error } })).toEqual({ error });
  });

  it('[A4, R6] answers that a cancelled task has no result', () => {
    expect(encodeResult({ task_id: 'a', outcome: { kind: 'cancelled' } })).toEqual({
      error: { code: -32602, message: 'The task was cancelled and has no result.' },
    });
  });

  it('[A7] has the reason of a tool’s failure in the status message', () => {
    const content = [
      { type: 'text', text: 'No such city.' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'text', text: 'Did you mean Oslo?' },
    ];
    const failed = aTask({ status: 'failed', outcome: { kind: 'tool_error', result: { content, isError: true } } });

    expect(encodeTask(failed)).toMatchObject({
      status: 'failed',
      statusMessage: 'No such city.\nDid you mean Oslo?',
    });
  });

  it('[A12] sends progress with the token of the call, and none without a token', () => {
    const progress = { progress: 3, total: 4, message: 'Three of four.' };
    const record = aTask({ task_id: 'a', progress });

    const progress_message = encodeProgress({ ...record, request: { ...record.request, progress_token: 7 } });

    const params = { progressToken: 7, ...progress, _meta: { [RELATED_TASK]: { taskId: 'a' } } };
    expect(progress_message).toEqual({ method: 'notifications/progress', params });
    expect(encodeProgress(record)).toBeNull();
  });

  it('[A9, TYPE-05, INTG-01, SPEC-02] declares tasks as a capability, and under `experimental`', () => {
    const full = declareTasks(serverTaskCapabilities.full());

    expect(full.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    expect(full.experimental.tasks).toEqual(full.tasks);
    expect(serverTaskCapabilities.toolsOnly()).toEqual({ requests: { tools: { call: {} } } });
    conforms('ServerCapabilities', full);
    conforms('ClientCapabilities', { tasks: clientTaskCapabilities.full() });
  });

  it.each(['forbidden', 'optional', 'required'] as const)(
    '[A9, TYPE-08, INTG-02] lets a tool say that tasks are %s',
    (support) => {
      const tool = { name: 'count', inputSchema: { type: 'object' }, execution: toolExecution(support) };

      expect(tool.execution.taskSupport).toBe(support);
      conforms('Tool', tool);
    },
  );
});
