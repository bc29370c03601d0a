import process, { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTasks } from '@errand/tasks';
import { openTaskStore } from './open-task-store.ts';

// A process that runs the tasks, and puts the time of completion into the result.
const [kind = '', address = ''] = argv.slice(2);
const store = await openTaskStore(kind, address);
createTasks({
  store,
  tools: {
    render: async () => {
      await sleep(100);
      return { content: [], structuredContent: { done_at: Date.now() } };
    },
  },
  poll_interval_ms: 50,
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
