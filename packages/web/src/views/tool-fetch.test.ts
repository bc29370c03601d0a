import { describe, expect, it } from 'vitest';
import { createToolFetch, type ToolResult, type ToolRoute } from './tool-fetch.ts';

const ROUTES: readonly ToolRoute[] = [
  {
    tool: 'show_board',
    method: 'GET',
    path: '/api/v1/board/projects/{project_id}/cards',
    kinds: { limit: 'number', task_ids: 'array' },
  },
  { tool: 'update_task', method: 'PATCH', path: '/api/v1/board/tasks/{task_id}', kinds: {} },
];

function aFetch(result: ToolResult | Error) {
  const calls: unknown[] = [];
  const call = createToolFetch(ROUTES, async (name, args) => {
    calls.push([name, args]);
    if (result instanceof Error) throw result;
    return result;
  });
  return { call, calls };
}

describe('requests as calls of tools', () => {
  it('take path and query as arguments, each of its type', async () => {
    const { call, calls } = aFetch({ structuredContent: { columns: [] } });

    const answer = await call('/api/v1/board/projects/My%20shop/cards?limit=25&task_ids=A-1&task_ids=A-2&cursor=12');

    const args = { project_id: 'My shop', limit: 25, task_ids: ['A-1', 'A-2'], cursor: '12' };
    expect(calls).toEqual([['show_board', args]]);
    expect([answer.status, await answer.json()]).toEqual([200, { columns: [] }]);
  });

  it('take the body as arguments', async () => {
    const { call, calls } = aFetch({ structuredContent: {} });

    await call('/api/v1/board/tasks/A-1', { method: 'PATCH', body: '{"status":"done","task_id":"B-2"}' });

    expect(calls).toEqual([['update_task', { status: 'done', task_id: 'A-1' }]]);
  });

  it.each([
    ['insufficient_scope', false, 403],
    ['not_found', false, 404],
    ['validation_error', false, 400],
    ['database_error', true, 503],
  ])('answer %s with the status of the REST API', async (code, retryable, status) => {
    const error = { code, message: 'No.', retryable, correlation_id: 'c' };
    const { call } = aFetch({ isError: true, structuredContent: { error } });

    const answer = await call('/api/v1/board/projects/A/cards');

    expect([answer.status, await answer.json()]).toEqual([status, { error }]);
  });

  it('say what the host refused', async () => {
    const { call } = aFetch(new Error('The person said no.'));

    const answer = await call('/api/v1/board/projects/A/cards');

    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: { message: 'The person said no.', retryable: false } });
  });

  it('reach no tool that is not for views', async () => {
    const { call, calls } = aFetch({ structuredContent: {} });

    const answer = await call('/api/v1/admin/tokens', { method: 'POST', body: '{}' });

    expect([answer.status, calls]).toEqual([403, []]);
  });
});
