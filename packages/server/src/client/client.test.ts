import { describe, expect, expectTypeOf, it } from 'vitest';
import { createServed } from '#testing/served';
import { CallError, createClient, type ToolInput, type ToolOutput } from './client.ts';

describe('the client', () => {
  it('calls tools by their full names', async () => {
    await using served = await createServed();
    const client = createClient({ url: `${served.url}/`, token: served.authorization.replace('Bearer ', '') });

    const { task_id } = await client.call('todo_add_task', { user_id: 'me', title: 'Buy milk' });
    const { tasks } = await client.call('todo_list_tasks', { user_id: 'me' });

    expect(tasks).toMatchObject([{ id: task_id, title: 'Buy milk', completed: false }]);
  });

  it('rejects with what the server said', async () => {
    await using served = await createServed();
    const client = createClient({ url: served.url, token: 'errand_user_wrong' });

    const call = client.call('todo_list_tasks', { user_id: 'me' });

    await expect(call).rejects.toBeInstanceOf(CallError);
    await expect(call).rejects.toMatchObject({ status: 401, failure: { code: 'unauthenticated', retryable: false } });
  });

  it('calls tools that report in the form of their contract', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({ scopes: ['execution:report'] });
    const client = createClient({ url: served.url, token: token as string });

    const made = await client.call('create_execution', { name: 'A run' });
    const step = await client.call('create_step', { execution_id: made.id, step_name: 'Build' });
    const refused = client.call('create_step', { execution_id: 'nothing', step_name: 'Build' });

    expect(step).toMatchObject({ success: true, message: 'Step created', data: { seq: 1, status: 'running' } });
    await expect(refused).rejects.toMatchObject({
      status: 404,
      failure: { code: 'not_found', message: expect.stringContaining('No execution nothing'), retryable: false },
    });
  });

  it('knows what each tool takes and answers', () => {
    expectTypeOf<ToolInput<'todo_add_task'>>().toExtend<{ user_id: string; title: string }>();
    expectTypeOf<ToolOutput<'todo_add_task'>['status']>().toEqualTypeOf<'created'>();
    expectTypeOf<ToolOutput<'create_step'>['data']['seq']>().toEqualTypeOf<number>();
    // @ts-expect-error There is no such tool.
    expectTypeOf<ToolInput<'todo_frobnicate'>>();
  });
});
