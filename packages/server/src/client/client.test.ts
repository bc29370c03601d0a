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

  it('knows what each tool takes and answers', () => {
    expectTypeOf<ToolInput<'todo_add_task'>>().toExtend<{ user_id: string; title: string }>();
    expectTypeOf<ToolOutput<'todo_add_task'>['status']>().toEqualTypeOf<'created'>();
    // @ts-expect-error There is no such tool.
    expectTypeOf<ToolInput<'todo_frobnicate'>>();
  });
});
