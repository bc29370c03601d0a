import { onTestFinished } from 'vitest';
import { createTasks } from '#create-tasks';
import { memoryStore } from '#stores/memory';
import type { Tasks, TasksOptions } from '#tasks';

/** Tasks in memory for one test, closed when it ends. */
export function openTasks(options: Partial<TasksOptions> = {}): Tasks {
  const tasks = createTasks({ store: memoryStore(), tools: {}, poll_interval_ms: 20, ...options });
  onTestFinished(() => tasks.close({ grace_ms: 0 }));
  return tasks;
}

/** A promise with its handles outside: a gate that work waits at. */
export function aGate<T = void>(): { readonly passed: Promise<T>; readonly open: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { passed: promise, open: resolve };
}
