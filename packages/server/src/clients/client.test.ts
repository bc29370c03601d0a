import { describe, expect, expectTypeOf, it } from 'vitest';
import { createServed } from '#testing/served';
import { answerOf, CallError, connectTo } from './client.ts';
import {
  callTool,
  createExecution,
  createStep,
  type TodoAddTaskAnswer,
  todoAddTask,
  todoCompleteTask,
  todoListTasks,
} from './generated/errand-api.ts';

describe('the client', () => {
  it('calls tools at their routes: arguments in the path, the query and the body', async () => {
    await using served = await createServed();
    const errand = connectTo({ url: `${served.url}/`, token: served.authorization.replace('Bearer ', '') });

    const { task_id } = await answerOf(todoAddTask({ user_id: 'me', title: 'Buy milk' }, {}, errand));
    await answerOf(todoCompleteTask(task_id, { user_id: 'me', completed: true }, {}, errand));
    const { tasks } = await answerOf(todoListTasks('me', { status: 'completed', limit: 5 }, errand));

    expect(tasks).toMatchObject([{ id: task_id, title: 'Buy milk', completed: true }]);
  });

  it('calls tools by their full names', async () => {
    await using served = await createServed();
    const errand = connectTo({ url: served.url, token: served.authorization.replace('Bearer ', '') });

    const made = await answerOf(callTool('todo_add_task', { user_id: 'me', title: 'Buy milk' }, {}, errand));

    expect(made).toMatchObject({ status: 'created', title: 'Buy milk' });
  });

  it('rejects with the error of the server', async () => {
    await using served = await createServed();
    const errand = connectTo({ url: served.url, token: 'errand_user_wrong' });

    const call = answerOf(todoListTasks('me', {}, errand));

    await expect(call).rejects.toBeInstanceOf(CallError);
    await expect(call).rejects.toMatchObject({ status: 401, failure: { code: 'unauthenticated', retryable: false } });
  });

  it('calls the reporting tools in the form of their contract', async () => {
    await using served = await createServed();
    const { token } = await served.world.token({ scopes: ['execution:report'] });
    const errand = connectTo({ url: served.url, token: String(token) });

    const made = await answerOf(createExecution({ name: 'A run' }, {}, errand));
    const step = await answerOf(createStep(made.id, { step_name: 'Build' }, {}, errand));
    const refused = answerOf(createStep('nothing', { step_name: 'Build' }, {}, errand));

    expect(step).toMatchObject({ success: true, message: 'Step created', data: { seq: 1, status: 'running' } });
    await expect(refused).rejects.toMatchObject({
      status: 404,
      failure: { code: 'not_found', message: expect.stringContaining('No execution nothing'), retryable: false },
    });
  });

  it('knows what each tool takes and answers', () => {
    expectTypeOf<Parameters<typeof todoAddTask>[0]>().toExtend<{ user_id: string; title: string }>();
    expectTypeOf<TodoAddTaskAnswer['status']>().toEqualTypeOf<'created'>();
    expectTypeOf(answerOf<Awaited<ReturnType<typeof createStep>>>).returns.resolves.toHaveProperty('data');
  });
});
