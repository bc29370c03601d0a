import { afterEach, describe, expect, inject, it } from 'vitest';
import { freshPostgres } from './database.ts';
import { startFixture, stopFixtures } from './tasks-fixture.ts';
import { openSession } from './tasks-wire.ts';

const CAN_ANSWER = { elicitation: {} };
const ANSWER = { action: 'accept', content: { confirm: true } };

// A test that timed out does not reach the end of its own block.
afterEach(stopFixtures);

describe('tasks in two processes on one Postgres', () => {
  it('[A4, A8, R4, S15] take an answer in one that the other waits for', async () => {
    const store = await freshPostgres(inject('postgresUrl'));
    await using a = await startFixture('--store', store);
    await using b = await startFixture('--store', store);
    const onA = await openSession(a.url, 'anna', CAN_ANSWER);
    const onB = await openSession(b.url, 'anna', CAN_ANSWER);

    const call = { name: 'confirm_delete', arguments: { filename: 'a.txt' }, task: {} };
    const { result } = (await onA.request('tools/call', call)) as { result: { task: { taskId: string } } };
    const { taskId } = result.task;
    const waiting = await onA.untilAsked('tasks/result', { taskId });
    const taken = await onB.respond(waiting.question.id, ANSWER);
    const ended = await waiting.end;

    expect(waiting.question).toMatchObject({ id: `task-input:${taskId}:confirm`, method: 'elicitation/create' });
    expect(taken).toBe(202);
    expect(ended).toMatchObject({ result: { content: [{ type: 'text', text: 'Deleted a.txt.' }] } });
  });

  it('[O2, SEC-02] ignore the answer of another user, and accept that of the owner', async () => {
    const store = await freshPostgres(inject('postgresUrl'));
    await using a = await startFixture('--store', store);
    await using b = await startFixture('--store', store);
    const onA = await openSession(a.url, 'anna', CAN_ANSWER);
    const annaOnB = await openSession(b.url, 'anna');
    const bobOnB = await openSession(b.url, 'bob');

    const call = { name: 'confirm_delete', arguments: { filename: 'a.txt' }, task: {} };
    const { result } = (await onA.request('tools/call', call)) as { result: { task: { taskId: string } } };
    const id = `task-input:${result.task.taskId}:confirm`;
    const waiting = await onA.untilAsked('tasks/result', { taskId: result.task.taskId });
    const foreign = await bobOnB.respond(id, ANSWER);
    const declined = await annaOnB.respond(id, { action: 'decline' });

    expect([foreign, declined]).toEqual([202, 202]);
    expect(await waiting.end).toMatchObject({ result: { content: [{ text: 'Kept a.txt.' }] } });
  });

  it('[S1, R1] find a task in one process as soon as the other has created it', async () => {
    const store = await freshPostgres(inject('postgresUrl'));
    await using a = await startFixture('--store', store);
    await using b = await startFixture('--store', store);
    const onA = await openSession(a.url, 'anna');
    const onB = await openSession(b.url, 'anna');

    const call = { name: 'slow_compute', arguments: { seconds: 60 }, task: { ttl: 60_000 } };
    const { result } = (await onA.request('tools/call', call)) as { result: { task: { taskId: string } } };
    const { taskId } = result.task;
    const cancelled = await onB.request('tasks/cancel', { taskId });
    const seen = await onA.request('tasks/get', { taskId });

    expect(cancelled).toMatchObject({ result: { taskId, status: 'cancelled' } });
    expect(seen).toMatchObject({ result: { taskId, status: 'cancelled' } });
  });
});
