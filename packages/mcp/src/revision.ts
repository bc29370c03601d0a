import type { Call } from './call.ts';
import type { InputRequired, McpHost, TaskSupport, ToolAnswer, ToolShape } from './host.ts';
import type { JsonObject } from './json.ts';

/** What the client may keep of a result: nothing, a list for a while, or contents that must be asked for again. */
export type CacheHint = 'none' | 'list' | 'contents';

/** Answers one method with the result's JSON text. */
export type Method = <Caller>(host: McpHost<Caller>, call: Call<Caller>) => string | Promise<string>;

export type SupportOf = (tool: string) => TaskSupport;

/** One generation of the protocol: which methods it has, and how facts look on its wire. */
export interface Revision {
  readonly methods: ReadonlyMap<string, Method>;
  /** The HTTP status of an error that a method answered with. */
  readonly statusOf: (code: number) => number;
  /** A complete result out of its members, JSON text without the braces. */
  readonly complete: (members: string, cache: CacheHint) => string;
  /** The list of tools; with `supportOf` it says which of them run as tasks. */
  readonly tools: (tools: readonly ToolShape[], supportOf: SupportOf | null) => string;
  readonly toolResult: (answer: Exclude<ToolAnswer, InputRequired>) => string;
  /** Null where the server asks the client by requests of its own. */
  readonly inputRequired: ((required: InputRequired) => string) | null;
  readonly missingCapability: (required: JsonObject) => Error;
  /** Disconnecting is cancelling. */
  readonly disconnect_cancels: boolean;
}
