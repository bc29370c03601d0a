export { VARIABLES_META } from '#wire/meta';
export {
  type ClientTaskCapabilities,
  clientTaskCapabilities,
  declareTasks,
  type ServerTaskCapabilities,
  serverTaskCapabilities,
  type TaskSupport,
  type ToolExecution,
  toolExecution,
} from './capabilities.ts';
export { type EndedTask, followTask, type Stream } from './follow-task.ts';
export {
  type ClientResponse,
  createTaskMethods2025,
  type TaskCallRequest,
  type TaskMethodRequest,
  type TaskMethods2025,
} from './methods.ts';
export { encodeProgress, encodeStatusNotification, type TaskStatusNotification } from './notifications.ts';
export {
  type CancelTaskParams,
  type GetTaskParams,
  type ListTasksParams,
  readTaskParam,
  type TaskParams,
  type TaskResultParams,
} from './params.ts';
export { encodeQuestion, mayAsk, type Question, type QuestionId, readAnswer, readQuestionId } from './questions.ts';
export { type EncodedResult, encodeResult } from './result.ts';
export {
  type CreateTaskResult,
  encodeCreated,
  encodeTask,
  encodeTaskWithVariables,
  type ListTasksResult,
  MODEL_IMMEDIATE_RESPONSE,
  RELATED_TASK,
  relatedTask,
  type Task,
  type TaskWithVariables,
} from './task.ts';
