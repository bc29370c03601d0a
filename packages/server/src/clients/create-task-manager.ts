import type { TaskManager } from '#tools/task-manager';
import { createHttpTaskManager, type HttpAccess } from './http-task-manager.ts';
import { createMockTaskManager } from './mock-task-manager.ts';

/** How a reporter reaches the Task Manager. */
export interface TaskManagerAccess extends HttpAccess {
  /** The setting USE_MOCK_CLIENT. */
  readonly use_mock: boolean;
}

/** Creates the Task Manager that the environment names: one in memory for tests, or one over HTTP. */
export const createTaskManager = ({ use_mock, ...access }: TaskManagerAccess): TaskManager =>
  use_mock ? createMockTaskManager() : createHttpTaskManager(access);
