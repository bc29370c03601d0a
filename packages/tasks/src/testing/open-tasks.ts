import { onTestFinished } from 'vitest';
import { createTasks } from '#create-tasks';
import { memoryStore } from '#stores/memory';
import type { Tasks, TasksOptions } from '#tasks';

/** Opens tasks in memory for one test, and closes them when it ends. */
export function openTasks(options: Partial<TasksOptions> = {}): Tasks {
  const tasks = createTasks({ store: memoryStore(), tools: {}, poll_interval_ms: 20, ...options });
  onTestFinished(() => tasks.close({ grace_ms: 0 }));
  return tasks;
}

/** Makes a gate: a promise that work awaits, and the function that resolves it. */
export function aGate<T = void>(): { readonly passed: Promise<T>; readonly open: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { passed: promise, open: resolve };
}
