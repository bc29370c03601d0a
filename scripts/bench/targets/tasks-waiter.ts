import process, { argv } from 'node:process';
import { createTasks } from '@errand/tasks';
import { createTaskMethods2025 } from '@errand/tasks/2025-11-25';
import { openTaskStore } from './open-task-store.ts';

// A process that creates tasks and waits for results from another process.
const [kind = '', address = '', poll = '', signals = ''] = argv.slice(2);
const opened = await openTaskStore(kind, address);
const store = signals === 'cut' ? { ...opened, subscribe: () => () => undefined } : opened;
const tools = { render: async () => ({}) };
const tasks = createTasks({ store, tools, worker: false, poll_interval_ms: Number(poll) });
const methods = createTaskMethods2025({ tasks });
const requestor = { subject: 'bench' };

process.on('message', async () => {
  const { task_id } = await tasks.create({ owner_id: 'sub:bench', tool: 'render', arguments: {} });
  const result = await methods.result({ params: { taskId: task_id }, requestor });
  const ended_at = Date.now();
  const { done_at } = result.structuredContent as { done_at: number };
  process.send?.({ late_ms: ended_at - done_at });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
