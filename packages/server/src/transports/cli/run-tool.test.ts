import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorld } from '#testing/world';
import { exitCodeOf } from './exit-code.ts';
import { localCalls } from './local-calls.ts';
import { callerOf, runTool } from './run-tool.ts';

const streams = { out: '', err: '' };

beforeEach(() => {
  streams.out = '';
  streams.err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    streams.out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    streams.err += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

async function run(name: string, input: Record<string, unknown>, { json = false, token = null as string | null } = {}) {
  const { gateway } = await createWorld();
  const tool = gateway.find(name, 'all');
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return runTool({ calls: localCalls(gateway, await callerOf(gateway, token)), tool, input, json });
}

describe('a tool on the command line', () => {
  it('answers a script with one line of JSON', async () => {
    const code = await run('todo_list_tasks', { user_id: 'me' }, { json: true });

    expect(code).toBe(0);
    expect(streams).toEqual({ out: '{"tasks":[]}\n', err: '' });
  });

  it('reports a failure to a script on stderr, in the form of every other error', async () => {
    const code = await run('todo_delete_task', { user_id: 'me', task_id: 'nope' }, { json: true });

    expect(code).toBe(4);
    expect(streams.out).toBe('');
    expect(JSON.parse(streams.err)).toMatchObject({ error: { code: 'TASK_NOT_FOUND', retryable: false } });
  });

  it('tells a person what happened and what to do', async () => {
    const code = await run('todo_delete_task', { user_id: 'me', task_id: 'nope' });

    expect(code).toBe(4);
    expect(streams.err).toMatch(/^errand: No task nope\.\n.+\n$/);
  });

  it('names commands and flags to a person, tools and fields to a script', async () => {
    const input = { kind: 'service', name: 'x', scopes: ['todo:read'] };

    await run('todo_delete_task', { user_id: 'me', task_id: 'nope' });
    await run('admin_create_token', input);
    const people = streams.err;
    streams.err = '';
    await run('todo_delete_task', { user_id: 'me', task_id: 'nope' }, { json: true });
    await run('admin_create_token', input, { json: true });

    expect(people).toContain('Run errand todo list-tasks for the ids of this user.');
    expect(people).toContain('errand: --users: a service token');
    expect(streams.err).toContain('Call todo_list_tasks for');
    expect(streams.err).toContain('"user_ids: a service token');
  });

  it('acts as the token when there is one', async () => {
    const call = run('todo_list_tasks', { user_id: 'me' }, { token: 'errand_user_wrong' });

    await expect(call).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each([
    [400, 2],
    [401, 3],
    [403, 3],
    [404, 4],
    [409, 1],
    [500, 1],
    [503, 5],
  ])('ends a failure of status %i with %i', (status, code) => {
    expect(exitCodeOf(status)).toBe(code);
  });
});
