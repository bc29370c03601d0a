import { describe, expect, it, onTestFinished } from 'vitest';
import { createTasks } from '../../../packages/tasks/src/create-tasks.ts';
import { openPostgresStore } from '../../../packages/tasks/src/stores/postgres/postgres-store.ts';
import { sequentialWorkflow } from '../../../packages/tasks/src/workflow/sequential-workflow.ts';
import { startPostgres } from '../../../scripts/postgres.ts';

describe('a PostgreSQL that is restarted between two steps', () => {
  it('[S14, W2] is waited for: every step has one effect and the task completes', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const effects: string[] = [];
    const away = Promise.withResolvers<void>();
    const workflow = sequentialWorkflow('long')
      .step('before', { run: () => effects.push('before') })
      .step('during', {
        run: async () => {
          effects.push('during');
          await postgres.pause();
          away.resolve();
        },
      })
      .step('after', { run: () => effects.push('after') });
    const store = await openPostgresStore({ url: postgres.url, schema: 'outage' });
    const tasks = createTasks({ store, tools: { long: workflow.withTaskSupport() }, poll_interval_ms: 100 });
    onTestFinished(() => tasks.close());
    const { task_id } = await tasks.create({ owner_id: 'alice', tool: 'long', arguments: {} });

    await away.promise;
    await expect(tasks.get('alice', task_id)).rejects.toMatchObject({ code: 'store_unavailable' });
    await postgres.resume();
    const ended = await tasks.wait('alice', task_id);

    expect(effects).toEqual(['before', 'during', 'after']);
    expect(ended).toMatchObject({ status: 'completed', epoch: 1 });
  });
});
