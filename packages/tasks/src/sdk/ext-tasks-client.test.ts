import { describe, expect, it } from 'vitest';
import { openExtTasksSession } from './testing/ext-tasks-session.ts';
import { openSdkHost } from './testing/sdk-host.ts';

const PREFER = { task: { preference: 'prefer' } } as const;

describe.each(['2025-11-25', '2026-07-28'] as const)('the requester of ext-tasks, %s', (generation) => {
  it('[A4, B3] completes a task', async () => {
    await using host = await openSdkHost();
    await using requester = await openExtTasksSession(host.url, generation);

    const execution = await requester.session.callTool('count', { to: 4 }, PREFER);
    const { outcome } = await execution.settle();

    expect(execution.kind).toBe('task');
    expect(outcome).toMatchObject({ status: 'completed', result: { content: [{ text: 'counted to 4' }] } });
  });

  it('[A8, B4] answers a question while it polls', async () => {
    await using host = await openSdkHost();
    await using requester = await openExtTasksSession(host.url, generation);

    const execution = await requester.session.callTool('confirm', {}, PREFER);
    const { outcome } = await execution.settle();

    expect(outcome).toMatchObject({ status: 'completed', result: { content: [{ text: 'accept {"sure":true}' }] } });
  });

  it('[A6, B5] cancels a task', async () => {
    await using host = await openSdkHost();
    await using requester = await openExtTasksSession(host.url, generation);
    const execution = await requester.session.callTool('endless', {}, PREFER);

    await execution.cancel();

    await expect(execution.settle()).resolves.toMatchObject({ outcome: { status: 'cancelled' } });
  });
});
