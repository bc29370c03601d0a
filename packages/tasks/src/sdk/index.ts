export type { Caller, RequestorOf } from './caller.ts';
export { type HttpHandler, type TaskStreamsOptions, withTaskStreams } from './with-task-streams.ts';
export { type DurableTool, type RunTool, type WithTasksOptions, withTasks } from './with-tasks.ts';
