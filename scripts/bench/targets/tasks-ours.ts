import { argv } from 'node:process';
import { createTasks } from '@errand/tasks';
import { openTaskStore } from './open-task-store.ts';
import { ARGUMENTS, answerCycles, RESULT } from './task-cycles.ts';

// The library with all its rules, without a worker, so that only the store is measured.
const store = await openTaskStore(argv[2] ?? '', argv[3] ?? '');
const tasks = createTasks({ store, tools: { render: async () => RESULT }, worker: false });

answerCycles(async (owner_id) => {
  const { task_id } = await tasks.create({ owner_id, tool: 'render', arguments: ARGUMENTS, ttl_ms: 60_000 });
  const { status } = await tasks.get(owner_id, task_id);
  if (status !== 'working') throw new Error(`The task is ${status}.`);
  await tasks.completeWithResult(owner_id, task_id, RESULT);
});
