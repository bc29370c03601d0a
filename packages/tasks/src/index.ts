export type { TaskContext } from './context.ts';
export { createTasks } from './create-tasks.ts';
export { TASK_ERRORS, TaskError, type TaskErrorCode } from './errors.ts';
export type { Json, JsonObject } from './json.ts';
export { DEFAULT_LIMITS, grantTtl, type TaskLimits } from './limits.ts';
export { type Requestor, resolveOwner } from './owner.ts';
export { RpcFailure } from './rpc-failure.ts';
export type { Claim, Inserted, Position, Replaced, ReplaceOptions, Signal, TaskStore } from './store.ts';
export {
  expiresAt,
  INPUT_METHODS,
  type InputRequest,
  isExpired,
  isTerminal,
  type Lease,
  mayFollow,
  type Outcome,
  openInputs,
  type Progress,
  type RpcFault,
  TASK_STATUSES,
  type TaskInput,
  type TaskRecord,
  type TaskStatus,
  TRANSITIONS,
} from './task.ts';
export type {
  ClientTasks,
  TaskHandler,
  TaskPage,
  TaskRequest,
  Tasks,
  TasksOptions,
  TaskTool,
  WorkerOptions,
} from './tasks.ts';
export { checkVariables, mergeVariables } from './variables.ts';
export type { StepContext } from './workflow/run-steps.ts';
export { type SequentialWorkflow, type StepDefinition, sequentialWorkflow } from './workflow/sequential-workflow.ts';
export { stepOutput, variable } from './workflow/source.ts';
