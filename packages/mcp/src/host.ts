import type { ClientTasks, JsonObject as Json, Requestor } from '@errand/tasks';
import type { ClientInfo } from './client-info.ts';
import type { JsonObject } from './json.ts';
import type { Soon } from './ready.ts';

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

/** The call needs these answers. The client makes it again with them, and with the state. */
export interface InputRequired {
  readonly kind: 'input_required';
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** State for the repeated call. It comes from the client, which may have changed it. */
  readonly state?: string;
}

/** An answer that is already JSON text. The model gets the same text. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly json: string;
  readonly failed: boolean;
  /** `json` as a JSON string, when it is known: an answer that is given often need not be escaped each time. */
  readonly quoted?: string | undefined;
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

/** The context of a call: what it can do besides answering. */
export interface CallContext<Caller> {
  readonly caller: Caller;
  readonly client_capabilities: JsonObject;
  /** The answers to an earlier `input_required`, by key; empty the first time. */
  readonly input_responses: JsonObject;
  readonly request_state: string | undefined;
  /** The trace that the client names. */
  readonly correlation_id: string | undefined;
  /** What the client calls itself, unchecked; null for a client that sends no name. */
  readonly client: ClientInfo | null;
  /** The version of the protocol that the client speaks. */
  readonly protocol_version: string;
  /** The `user-agent` header of an HTTP request. */
  readonly user_agent: string | undefined;
  /** The `_meta` of the request. */
  readonly meta: JsonObject;
  /** Aborted when the client cancels. Only in the 2026 generation a disconnect cancels too. */
  readonly signal: AbortSignal;
  /** Aborted when the client can no longer read the answer, in every generation: for work that only waits. */
  readonly unheard: AbortSignal;
  readonly progress: (progress: number, total?: number, message?: string) => void;
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
  /** Closes the stream when it can be resumed: the client fetches the answer later. */
  readonly closeStream: () => void;
  /**
   * The client's answers to these requests, by key. If one is missing, the call ends and is made again from its start
   * with the answers, so effects that must happen once must come after it. Throws for a client that cannot be asked.
   */
  readonly ask: <Key extends string>(
    requests: Readonly<Record<Key, InputRequest>>,
  ) => Readonly<Record<Key, JsonObject>>;
}

export interface ToolPart<Caller> {
  /** Returns the same array while the list is unchanged: its JSON text is cached. */
  readonly list: (caller: Caller, client_capabilities: JsonObject) => readonly ToolShape[];
  /** The tools of all callers that mirror arguments into `Mcp-Param-*` headers; none unless given. */
  readonly mirroring?: readonly ToolShape[];
  /** Calls a tool; undefined when there is no such tool. */
  readonly call: (name: string, args: JsonObject, call: CallContext<Caller>) => Soon<ToolAnswer> | undefined;
  /** The tool that a caller means by an unknown name; null when none is alike. */
  readonly meant?: (name: string, caller: Caller) => string | null;
}

export interface ResourcePart<Caller> {
  /** The extension whose resources these are: they are offered only to a client that declares it. Anyone may read them. */
  readonly extension?: string;
  readonly list: (caller: Caller) => readonly JsonObject[];
  readonly templates: (caller: Caller) => readonly JsonObject[];
  /** Reads a resource; undefined when there is no such resource. */
  readonly read: (
    uri: string,
    call: CallContext<Caller>,
  ) => Promise<ResourceContents | InputRequired | undefined> | undefined;
}

export interface PromptPart<Caller> {
  readonly list: (caller: Caller) => readonly JsonObject[];
  /** Returns a prompt; undefined when there is no such prompt. */
  readonly get: (
    name: string,
    args: JsonObject,
    call: CallContext<Caller>,
  ) => Promise<PromptMessages | InputRequired> | undefined;
}

export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** The data that a task keeps of its call, besides tool and arguments. Never a secret. */
export interface TaskDetails {
  readonly context?: Json;
  readonly variables?: Json;
  /** The text that the model reads while the task runs. */
  readonly immediate_response?: string;
}

/** Tool calls that continue after their request has ended. */
export interface TaskPart<Caller> {
  /** Returns the tasks that this caller may see. Others are not found. */
  readonly tasksOf: (caller: Caller) => ClientTasks;
  /**
   * Returns the owner of a caller's tasks. 2026 clients and some of 2025 lack a session. When it throws, the caller has no
   * tasks for now, and the methods of tasks answer with the error.
   */
  readonly requestorOf: (caller: Caller, session_id: string | undefined) => Requestor;
  /** Returns whether a tool runs as a task. It never changes while the server runs; `forbidden` for an unknown tool. */
  readonly supportOf: (tool: string) => TaskSupport;
  /** Called before a task is created. Throws for a call that this caller must not make. */
  readonly detailsOf: (tool: string, args: JsonObject, call: CallContext<Caller>) => TaskDetails | Promise<TaskDetails>;
  /** Decides whether a call becomes a task (2026): false to answer at once, or to ask for input first. */
  readonly becomesTask: (tool: string, call: CallContext<Caller>) => boolean;
}

export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

export interface ChangeFeed<Caller> {
  /** Subscribes to changes. Returns a stop function. */
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
  /** Returns suggestions for an argument, best first. */
  readonly complete?: (params: JsonObject, caller: Caller) => Promise<readonly string[]>;
  readonly logging?: boolean;
  readonly changes?: ChangeFeed<Caller>;
}
