import type { ClientTasks, JsonObject as Json, Requestor } from '@errand/tasks';
import type { ClientInfo } from './client-info.ts';
import type { JsonObject } from './json.ts';

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Implementation {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
}

export interface ToolShape {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

/** One question for the client or its user. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: JsonObject;
}

/** The call cannot go on without these answers; it is made again with them, and with the state as it was given out. */
export interface InputRequired {
  readonly kind: 'input_required';
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** Comes back through the client, who may have changed it. */
  readonly state?: string;
}

/** An answer that is JSON text already; the model reads the same text. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly json: string;
  readonly failed: boolean;
}

export interface ContentAnswer {
  readonly kind: 'content';
  readonly content: readonly JsonObject[];
  readonly structured?: JsonObject;
  readonly failed?: boolean;
}

export type ToolAnswer = JsonAnswer | ContentAnswer | InputRequired;

export interface ResourceContents {
  readonly kind: 'contents';
  readonly contents: readonly JsonObject[];
}

export interface PromptMessages {
  readonly kind: 'messages';
  readonly description?: string;
  readonly messages: readonly JsonObject[];
}

/** What a call may do besides answering. */
export interface CallContext<Caller> {
  readonly caller: Caller;
  readonly client_capabilities: JsonObject;
  /** The answers to an earlier `input_required`, by key; empty the first time. */
  readonly input_responses: JsonObject;
  readonly request_state: string | undefined;
  /** The trace the client says it belongs to. */
  readonly correlation_id: string | undefined;
  /** What the client calls itself, unchecked; null for a client that sends no name. */
  readonly client: ClientInfo | null;
  /** The `user-agent` header, where there are headers. */
  readonly user_agent: string | undefined;
  /** The `_meta` of the request. */
  readonly meta: JsonObject;
  /** Aborted when the client cancels; a client that merely disconnects does so in the 2026 generation only. */
  readonly signal: AbortSignal;
  /** Aborted when the client can no longer read the answer, in every generation: for work that only waits. */
  readonly unheard: AbortSignal;
  readonly progress: (progress: number, total?: number, message?: string) => void;
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
  /** Lets the client go and fetch the answer later, where its stream can be resumed. */
  readonly closeStream: () => void;
  /**
   * The client's answers to these requests, by key. Ends the call while one is missing: it is made again from its start
   * with the answers, so nothing that must happen once may come before. Throws for a client that cannot be asked.
   */
  readonly ask: <Key extends string>(
    requests: Readonly<Record<Key, InputRequest>>,
  ) => Readonly<Record<Key, JsonObject>>;
}

export interface ToolPart<Caller> {
  /** The same array as long as the list is the same: what is written of it is kept. */
  readonly list: (caller: Caller) => readonly ToolShape[];
  /** The tools of all callers that mirror arguments into `Mcp-Param-*` headers; none unless given. */
  readonly mirroring?: readonly ToolShape[];
  /** Undefined when there is no such tool. */
  readonly call: (name: string, args: JsonObject, call: CallContext<Caller>) => Promise<ToolAnswer> | undefined;
}

export interface ResourcePart<Caller> {
  readonly list: (caller: Caller) => readonly JsonObject[];
  readonly templates: (caller: Caller) => readonly JsonObject[];
  /** Undefined when there is no such resource. */
  readonly read: (
    uri: string,
    call: CallContext<Caller>,
  ) => Promise<ResourceContents | InputRequired | undefined> | undefined;
}

export interface PromptPart<Caller> {
  readonly list: (caller: Caller) => readonly JsonObject[];
  /** Undefined when there is no such prompt. */
  readonly get: (
    name: string,
    args: JsonObject,
    call: CallContext<Caller>,
  ) => Promise<PromptMessages | InputRequired> | undefined;
}

export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** What a task keeps of the call that made it, besides tool and arguments. Never a secret. */
export interface TaskDetails {
  readonly context?: Json;
  readonly variables?: Json;
  /** What the model reads while the task goes on. */
  readonly immediate_response?: string;
}

/** Calls of tools that go on when their request is over. */
export interface TaskPart<Caller> {
  /** The tasks that this caller may see; all others are not found. */
  readonly tasksOf: (caller: Caller) => ClientTasks;
  /**
   * The owner of the caller's tasks; 2026 clients and some of 2025 have no session. When it throws, the caller has no
   * tasks for now, and the methods of tasks answer with the error.
   */
  readonly requestorOf: (caller: Caller, session_id: string | undefined) => Requestor;
  /** The same as long as the server runs; `forbidden` for a tool that there is not. */
  readonly supportOf: (tool: string) => TaskSupport;
  /** Asked when a task is about to be made; throws for a call that this caller must not make. */
  readonly detailsOf: (tool: string, args: JsonObject, call: CallContext<Caller>) => TaskDetails | Promise<TaskDetails>;
  /** Where the server decides (2026): false for a call that is answered at once, or has to ask for input first. */
  readonly becomesTask: (tool: string, call: CallContext<Caller>) => boolean;
}

export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

export interface ChangeFeed<Caller> {
  /** Returns the way to stop. */
  readonly subscribe: (caller: Caller, listener: (change: Change) => void) => () => void;
}

/** What is served. The rest of this library knows a server by this interface alone. */
export interface McpHost<Caller> {
  readonly server_info: Implementation;
  /** The instructions that a client of this caller reads when it connects. */
  readonly instructions?: (caller: Caller) => string;
  readonly tools: ToolPart<Caller>;
  readonly resources?: ResourcePart<Caller>;
  readonly prompts?: PromptPart<Caller>;
  readonly tasks?: TaskPart<Caller>;
  /** Suggestions for an argument, best first. */
  readonly complete?: (params: JsonObject, caller: Caller) => Promise<readonly string[]>;
  readonly logging?: boolean;
  readonly changes?: ChangeFeed<Caller>;
}
