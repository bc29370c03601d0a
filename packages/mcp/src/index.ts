export { type ClientInfo, clientInfoOf } from './client-info.ts';
export { extensionOf } from './extensions.ts';
export { type Failure, type Failures, LimitError, type Report } from './failures.ts';
export type {
  CallContext,
  Change,
  ChangeFeed,
  ContentAnswer,
  Implementation,
  InputRequest,
  InputRequired,
  JsonAnswer,
  LogLevel,
  McpHost,
  PromptMessages,
  PromptPart,
  ResourceContents,
  ResourcePart,
  TaskDetails,
  TaskPart,
  TaskSupport,
  ToolAnswer,
  ToolPart,
  ToolShape,
} from './host.ts';
export { LOG_LEVELS } from './host.ts';
export { elicitation, roots, sampling } from './input-requests.ts';
export { isObject, type JsonObject } from './json.ts';
export {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  RpcError,
  type RpcId,
} from './json-rpc.ts';
export { createMemorySessions } from './memory-sessions.ts';
export type { Completer } from './server/completion.ts';
export {
  assistant,
  audio,
  type ContentBlock,
  content,
  embedded,
  failure,
  image,
  inputRequired,
  type PromptMessage,
  type ToolResult,
  text,
  user,
} from './server/content.ts';
export { createMcpServer, type McpServer, type ServerOptions } from './server/create-server.ts';
export { type Prompt, type PromptArgument, type PromptOptions, prompt } from './server/prompt.ts';
export {
  type Contents,
  type Resource,
  type ResourceOptions,
  resource,
  resourceTemplate,
  type TemplateOptions,
} from './server/resource.ts';
export type { TaskOptions } from './server/server-tasks.ts';
export { jsonSchema, type StandardSchema } from './server/standard-schema.ts';
export { type Tool, type ToolAnnotations, type ToolOptions, tool } from './server/tool.ts';
export type {
  ClientAnswer,
  ClientFacts,
  Following,
  QuestionClaims,
  Session,
  SessionChange,
  SessionOptions,
  SessionStore,
  StreamEvent,
  StreamLog,
  StreamMessage,
} from './sessions.ts';
export { traceIdOf } from './trace.ts';
export { VERSION_2026, VERSIONS_2025 } from './versions.ts';
