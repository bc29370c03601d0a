import type { TaskManager } from '#tools/task-manager';
import { createHttpTaskManager, type HttpAccess } from './http-task-manager.ts';
import { createMockTaskManager } from './mock-task-manager.ts';

/** Where a reporter finds the Task Manager. */
export interface TaskManagerAccess extends HttpAccess {
  /** USE_MOCK_CLIENT. */
  readonly use_mock: boolean;
}

/** The Task Manager that the environment names: one in memory for tests, or one that is reached over HTTP. */
export const createTaskManager = ({ use_mock, ...access }: TaskManagerAccess): TaskManager =>
  use_mock ? createMockTaskManager() : createHttpTaskManager(access);
