import { expect, vi } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createServed } from '#testing/served';

type Json = Record<string, unknown>;
type Answer = { readonly result?: Json; readonly error?: Json };

/** A served board, a worker that the tests drive, and a client of both protocol generations. */
export async function aTaskServer() {
  const served = await createServed();
  const { world, tasks } = served;
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const { token, token_id } = await world.token({
    scopes: ['board:read', 'board:write', 'board:run', 'execution:report'],
  });
  const authorization = `Bearer ${String(token)}`;
  const call = { task_id: board.task_id, executor: 'scripted', repos: [{ repo_id: board.repo_id }] };

  const post = async (body: object, headers: Record<string, string>): Promise<Answer> =>
    (
      await served.call('POST', '/mcp', body, {
        accept: 'application/json, text/event-stream',
        authorization,
        ...headers,
      })
    ).json;
  const in2025 = (method: string, params: object) =>
    post({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25' });
  const in2026 = (method: string, params: Json, extensions: object = { 'io.modelcontextprotocol/tasks': {} }) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { extensions },
    };
    return post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(params.taskId ?? params.name ?? ''),
      },
    );
  };
  const begin = async (name = 'start_task_attempt', args: object = call): Promise<string> => {
    const { result } = await in2026('tools/call', { name, arguments: args });
    return String(result?.taskId);
  };
  const get = async (taskId: string): Promise<Json> => (await in2026('tasks/get', { taskId })).result ?? {};
  /** Resolves with the task when it matches. */
  const until = (taskId: string, like: object): Promise<Json> =>
    vi.waitFor(
      async () => {
        const task = await get(taskId);
        expect(task).toMatchObject(like);
        return task;
      },
      { interval: 50 },
    );
  const take = () => vi.waitFor(() => worker.take());
  return {
    ...{ world, tasks, board, worker, token_id, call, in2025, in2026, begin, get, until, take },
    [Symbol.asyncDispose]: served[Symbol.asyncDispose],
  };
}
