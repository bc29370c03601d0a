import { describe, expect, it } from 'vitest';
import { aTaskServer } from '#testing/task-server';

describe.concurrent('[L-STEER] ask_person, as a task', () => {
  it('asks for input at once, and ends with the answer that comes as the input of the task', async () => {
    await using server = await aTaskServer();
    const taskId = await server.begin('ask_person', { question: 'Which port?', task_id: server.board.task_id });

    const { inputRequests } = await server.until(taskId, { status: 'input_required' });
    const [approval_id = ''] = Object.keys(inputRequests as object);
    await server.in2026('tasks/update', {
      taskId,
      inputResponses: { [approval_id]: { action: 'accept', content: { answer: '8080' } } },
    });

    const { result } = await server.until(taskId, { status: 'completed' });
    expect(JSON.stringify(inputRequests)).toContain('Which port?');
    expect(result).toMatchObject({ structuredContent: { approval_id, status: 'answered', text: '8080' } });
  });

  it('ends with an answer that is given elsewhere, for a client of the first generation', async () => {
    await using server = await aTaskServer();
    const args = { question: 'Which port?', task_id: server.board.task_id, options: [{ option: '80' }] };
    const made = await server.in2025('tools/call', { name: 'ask_person', arguments: args, task: {} });
    const { taskId } = (made.result?.task ?? {}) as { taskId: string };
    const { inputRequests } = await server.until(taskId, { status: 'input_required' });
    const [approval_id] = Object.keys(inputRequests as object);

    await server.world.ask('respond_approval', { approval_id, option: '80' });

    await server.until(taskId, { status: 'completed' });
    const { result } = await server.in2025('tasks/result', { taskId });
    expect(result).toMatchObject({ structuredContent: { status: 'answered', option: '80' } });
  });
});
