import { describe, expect, it } from 'vitest';
import { openTasks } from '#testing/open-tasks';

describe('options of a runtime', () => {
  it.each([
    ['poll_interval_ms', { poll_interval_ms: Number.POSITIVE_INFINITY }],
    ['poll_interval_ms', { poll_interval_ms: 0 }],
    ['worker.lease_ms', { worker: { lease_ms: 90 * 86_400_000 } }],
    ['worker.concurrency', { worker: { concurrency: 1.5 } }],
    ['worker.concurrency', { worker: { concurrency: Number.NaN } }],
    ['worker.max_attempts', { worker: { max_attempts: 0 } }],
  ])('[R5, R7] are refused when no timer or store could do with them: %s', (name, options) => {
    expect(() => openTasks(options)).toThrow(name);
  });

  it('[R3] survive a `report` function that throws', async () => {
    const tasks = openTasks({
      tools: {
        job: async () => {
          throw new Error('broken');
        },
      },
      report: () => {
        throw new Error('broken too');
      },
    });

    const { task_id } = await tasks.create({ owner_id: 'alice', tool: 'job', arguments: {} });

    expect(await tasks.wait('alice', task_id)).toMatchObject({ status: 'failed', epoch: 1 });
  });
});
