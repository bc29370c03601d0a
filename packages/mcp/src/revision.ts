import type { Call } from './call.ts';
import type { InputRequired, McpHost, TaskSupport, ToolAnswer, ToolShape } from './host.ts';
import type { JsonObject } from './json.ts';

/** How a client may cache a result: not at all, as a list for a while, or as contents that it must revalidate. */
export type CacheHint = 'none' | 'list' | 'contents';

/** Answers one method with the result's JSON text. */
export type Method = <Caller>(host: McpHost<Caller>, call: Call<Caller>) => string | Promise<string>;

export type SupportOf = (tool: string) => TaskSupport;

/** One generation of the protocol: its methods and its encoding. */
export interface Revision {
  readonly methods: ReadonlyMap<string, Method>;
  /** Returns the HTTP status of a method's error. */
  readonly statusOf: (code: number) => number;
  /** Makes a complete result from its members, JSON text without the braces. */
  readonly complete: (members: string, cache: CacheHint) => string;
  /** The list of tools; with `supportOf` it says which of them run as tasks. */
  readonly tools: (tools: readonly ToolShape[], supportOf: SupportOf | null) => string;
  readonly toolResult: (answer: Exclude<ToolAnswer, InputRequired>) => string;
  /** Encodes a result with questions; null when the server sends its questions as requests. */
  readonly inputRequired: ((required: InputRequired) => string) | null;
  readonly missingCapability: (required: JsonObject) => Error;
  /** True when a disconnect cancels the call. */
  readonly disconnect_cancels: boolean;
}
