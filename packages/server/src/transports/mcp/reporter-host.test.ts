import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { serveStdio } from '@errand/mcp/stdio';
import { a2025Request, a2026Request, INITIALIZE } from '@errand/mcp/testing';
import { describe, expect, it } from 'vitest';
import { catalog } from '#tools/catalog';
import { type TaskManager, TaskManagerError } from '#tools/task-manager';
import { isObject, type JsonObject } from '#transports/json';
import type { ClientFacts } from '#transports/rest/client-facts';
import { shapeOf } from './catalog-host.ts';
import { createReporterHost } from './reporter-host.ts';

const fail = () => Promise.reject(new Error('not expected'));
const NOBODY: TaskManager = { patchExecution: fail, createStep: fail, patchStep: fail, checkHealth: fail };

interface Opened {
  readonly asked: (ClientFacts | undefined)[];
  readonly keys: (string | undefined)[];
  readonly seen: unknown[];
  readonly talk: (...messages: readonly JsonObject[]) => Promise<readonly JsonObject[]>;
}

/** A reporter in front of a Task Manager, over lines of JSON. */
function open(manager: Partial<TaskManager>): Opened {
  const asked: (ClientFacts | undefined)[] = [];
  const keys: (string | undefined)[] = [];
  const seen: unknown[] = [];
  const host = createReporterHost({
    randomId: randomUUID,
    managersFor: (client_facts) => {
      asked.push(client_facts);
      return (key) => {
        keys.push(key);
        return { ...NOBODY, ...manager };
      };
    },
    surroundings: () => ({ folder: '/work' }),
    version: '1.2.3',
    observe: (error) => seen.push(error),
  });
  return {
    asked,
    keys,
    seen,
    talk: async (...messages) => {
      const input = new PassThrough();
      const output = new PassThrough();
      const over = serveStdio(host, {
        input,
        output,
        authenticate: async () => null,
      });
      input.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      await over;
      const lines = String(output.read() ?? '')
        .split('\n')
        .slice(0, -1);
      return lines.map((line): JsonObject => JSON.parse(line));
    },
  };
}

const call = (name: string, args: JsonObject, meta: JsonObject = {}) =>
  a2025Request('tools/call', { name, arguments: args, _meta: meta }).body;

const resultIn = (answer: JsonObject | undefined): JsonObject => {
  expect(answer).toHaveProperty('result');
  return answer?.result as JsonObject;
};

async function answerOf({ talk }: Opened, message: JsonObject): Promise<{ isError: unknown; body: unknown }> {
  const [answer] = await talk(message);
  const { isError, structuredContent, content } = resultIn(answer);
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  return { isError, body: structuredContent };
}

describe('a reporter', () => {
  it.each([
    ['2025', a2025Request('tools/list').body],
    ['2026', a2026Request('tools/list').body],
  ])('lists the four tools as the server does (%s)', async (_, message) => {
    const [answer] = await open({}).talk(message);

    const tools = resultIn(answer).tools as readonly JsonObject[];
    expect(tools.map(({ name }) => name)).toEqual([
      'update_execution_session',
      'create_step',
      'update_step',
      'health_check',
    ]);
    for (const shape of tools) {
      const tool = catalog.find(({ full_name }) => full_name === shape.name);
      const expected = shapeOf(tool as NonNullable<typeof tool>, 'executions');
      expect(shape).toEqual(expected);
      const { data } = (shape.outputSchema as { properties: Record<string, JsonObject> }).properties;
      expect(data).not.toHaveProperty('required');
    }
  });

  it('[R2.1, R2.2] passes a step on and returns the Task Manager’s answer', async () => {
    const calls: unknown[] = [];
    const reporter = open({
      createStep: async (...args) => {
        calls.push(args);
        return { step_id: 's1', step_name: 'Build' };
      },
    });

    const answer = await answerOf(reporter, call('create_step', { execution_id: 'e1', step_name: 'Build' }));

    expect(calls).toEqual([['e1', { step_name: 'Build', message: undefined, status: 'running' }]]);
    expect(answer).toEqual({
      isError: undefined,
      body: { success: true, message: 'Step created', data: { step_id: 's1', step_name: 'Build' } },
    });
  });

  it.each([
    [
      'update_step',
      { execution_id: 'e', step_id: 's', status: 'done' },
      {
        error: "Invalid status 'done'. Must be one of: running, completed, failed, skipped",
        valid_statuses: ['running', 'completed', 'failed', 'skipped'],
      },
    ],
    ['update_step', { execution_id: 'e', step_id: 's' }, { error: 'Provide at least status or message to update' }],
    ['update_execution_session', { execution_id: 'e' }, { error: 'session_id: is required.' }],
  ])('[R2.7, R3.3, R3.4] refuses wrong arguments of %s without asking the Task Manager', async (name, args, says) => {
    const reporter = open({});

    const { isError, body } = await answerOf(reporter, call(name, args));

    expect(isError).toBe(true);
    expect(body).toEqual({ success: false, error_code: 'validation_error', status_code: 400, ...says });
    expect(reporter.seen).toEqual([]);
  });

  it.each([
    [
      new TaskManagerError('Request timeout', { error_code: 'timeout' }),
      { error: 'Request timeout', error_code: 'timeout' },
    ],
    [
      new TaskManagerError('No such run', { error_code: 'not_found', status_code: 404 }),
      { error: 'No such run', error_code: 'not_found', status_code: 404 },
    ],
    [new TaskManagerError('No words'), { error: 'No words' }],
  ])('[R1.3, R2.8] answers the failure of a Task Manager: %s', async (error, body) => {
    const reporter = open({ checkHealth: () => Promise.reject(error) });

    expect(await answerOf(reporter, call('health_check', {}))).toEqual({
      isError: true,
      body: { success: false, ...body },
    });
  });

  it('writes the message of its own fault only to the log', async () => {
    const reporter = open({ checkHealth: () => Promise.reject(new Error('secret words')) });

    const { isError, body } = await answerOf(reporter, call('health_check', {}));

    expect(isError).toBe(true);
    expect(body).toMatchObject({ success: false, error_code: 'internal', status_code: 500 });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(reporter.seen).toEqual([new Error('secret words')]);
  });

  it('keeps invisible characters of a Task Manager’s answers out', async () => {
    const reporter = open({ createStep: async () => ({ step_id: 's', message: 'a\u202eb' }) });

    const { body } = await answerOf(reporter, call('create_step', { execution_id: 'e', step_name: 'n' }));

    expect(JSON.stringify(body)).not.toContain('\u202e');
  });

  it('sends the Task Manager who reports: the session, the program, and where it works', async () => {
    const reporter = open({ createStep: async () => ({ step_id: 's' }) });
    const args = { execution_id: 'e', step_name: 'n' };

    await reporter.talk(INITIALIZE.body, call('create_step', args, { 'x-codex-turn-metadata': { session_id: 'abc' } }));
    await reporter.talk(
      a2026Request(
        'tools/call',
        { name: 'create_step', arguments: args },
        { 'io.modelcontextprotocol/clientInfo': { name: 'claude-code', title: 'Claude Code', version: '2' } },
      ).body,
    );

    expect(reporter.asked).toEqual([
      { session_id: 'abc', client: 'tester 1', folder: '/work' },
      { client: 'Claude Code 2', folder: '/work' },
    ]);
  });

  it('passes on the key that names an operation', async () => {
    const reporter = open({ createStep: async () => ({ step_id: 's' }) });
    const args = { execution_id: 'e', step_name: 'n' };

    await reporter.talk(call('create_step', { ...args, idempotency_key: 'once' }), call('create_step', args));

    expect(reporter.keys).toEqual(['once', undefined]);
  });

  it('has no other tool of its profile, and none with a similar name', async () => {
    const [answer] = await open({}).talk(call('create_execution', { name: 'x' }));

    expect(isObject(answer?.error) && answer.error.message).toBe('Unknown tool: create_execution');
  });
});
