export { VARIABLES_META } from '#wire/meta';
export { declaresTasks, declareTasks, MISSING_CAPABILITY, missingCapability, TASKS_EXTENSION } from './extension.ts';
export {
  createTaskMethods2026,
  type TaskCallRequest,
  type TaskMethodRequest,
  type TaskMethods2026,
  type TaskSubscription,
} from './methods.ts';
export { readUpdate, type Update } from './params.ts';
export {
  ACK,
  type Acknowledgement,
  type CreateTaskResult,
  type DetailedTask,
  encodeCreated,
  encodeDetailed,
  encodeNotification,
  type GetTaskResult,
  type Task,
} from './task.ts';
