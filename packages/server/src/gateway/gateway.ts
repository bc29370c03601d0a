import type { Words } from '#advice';
import type { Caller } from '#domain/caller';
import type { ClientFacts } from '#domain/client-facts';
import type { Tool } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';
import type { ClientSessions } from './client-sessions.ts';
import type { Events } from './events.ts';
import type { FollowedCall, RunNews } from './follow-run.ts';
import type { TaskVisibility } from './task-visibility.ts';

export type TransportName = 'mcp-http' | 'mcp-stdio' | 'rest' | 'cli' | 'web';

/** What an MCP client says of itself with each call, unchecked. */
export interface CallingClient {
  readonly client: { readonly title: string; readonly version: string } | null;
  readonly protocol_version: string;
}

export interface Call {
  readonly caller: Caller;
  readonly tool: Tool;
  /** The arguments as they came, unchecked. */
  readonly input: unknown;
  readonly transport: TransportName;
  /** From `traceparent` or a request header, when the caller sent one; the gateway makes one otherwise. */
  readonly correlation_id?: string | undefined;
  readonly client_facts?: ClientFacts | undefined;
  /** The MCP client that makes the call. */
  readonly client?: CallingClient | undefined;
  /** Aborted when the caller no longer waits for the answer. A waiting call stops; a change that has begun is finished. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer may carry messages for the caller's attempt: only where the transport shows them. */
  readonly carries?: boolean;
}

/** A failure of a call. Its words are data until a transport spells the names in them: see `worded`. */
export interface CallError extends Omit<WireError, 'message' | 'hint'> {
  readonly message: Words;
  readonly hint?: readonly Words[];
}

/** A failure as every transport sends it. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
  readonly correlation_id: string;
}

/** The answer as JSON text, so that no transport serialises it again; or the error with its HTTP status. */
export type Outcome = Answer | Refused;

export interface Answer {
  readonly ok: true;
  readonly json: string;
  /** `json` as a JSON string; only where the answer is given again and again. */
  readonly quoted?: string;
  /** JSON of the messages that wait for the caller's attempt, for the top level of the answer; absent for none. */
  readonly messages?: string;
}

export interface Refused {
  readonly ok: false;
  readonly error: CallError;
  readonly status: number;
}

/** The log record of a call: who, what and how it ended, without any content. */
export interface CallRecord {
  readonly tool: string;
  readonly transport: TransportName;
  /** The user of the call; for an app's user the app's own id. */
  readonly user_id: string;
  /** The user that the call named without permission; `user_id` is then the caller's own. */
  readonly named_user_id?: string;
  /** The app whose user `user_id` is. */
  readonly app?: string;
  readonly agent_id: string | null;
  readonly latency_ms: number;
  /** "ok", or the code of the error. */
  readonly outcome: string;
  readonly correlation_id: string;
  /** The error behind a correlation id; for the log only. */
  readonly error?: unknown;
}

export interface Gateway extends TaskVisibility {
  /** The caller with this bearer token (null: none was sent). Throws `unauthenticated`. While the database is away, the result is a caller whose calls all fail. Called for every request and never cached, so that a revoked token ends at once. */
  readonly authenticate: (bearer: string | null) => Promise<Caller>;
  /** The owner of the machine, for stdio and the command line without a token. */
  readonly local: () => Promise<Caller>;
  /** Whether a browser may sign in with this key now. */
  readonly knowsSignInKey: (key: string) => Promise<boolean>;
  /** Whether anyone can sign in with a password. */
  readonly hasPasswords: () => Promise<boolean>;
  /** Notes that the browser of this caller was seen at this address. */
  readonly sawSession: (caller: Caller, address: string) => void;
  /** The caller, marked as started by this run, if the run belongs to an attempt that the caller may see. */
  readonly inRun: (caller: Caller, execution_id: string) => Promise<Caller>;
  /** A storable reference to a caller, for acting on their behalf later. It holds no secret, and is useless outside of this installation. */
  readonly passOf: (caller: Caller) => string;
  /** The caller behind a pass, with the rights of now. Throws `unauthenticated` when the token was revoked. */
  readonly recall: (pass: string) => Promise<Caller>;
  /** What an agent of the workspace is as a caller, by its newest valid token; only for an admin. Throws `not_found` without such a token. */
  readonly asAgent: (caller: Caller, agent_id: string) => Promise<Caller>;
  /** The tools that the caller may call, of one profile or of all. Throws the caller's error. Equal `scope_key`s give the same array, so its encoding can be cached. */
  readonly visible: (caller: Caller, profile: ProfileName | 'all') => readonly Tool[];
  /** The caller, limited to the tools of these profiles; unchanged when no profiles are given. */
  readonly narrow: (caller: Caller, profiles: readonly ProfileName[] | undefined) => Caller;
  /** Finds a tool by its name in a profile, or by its full name in `all`, whether or not the caller may call it. */
  readonly find: (name: string, profile: ProfileName | 'all') => Tool | undefined;
  /** Never rejects: every error becomes an outcome. */
  readonly dispatch: (call: Call) => Promise<Outcome>;
  /** Writes the counted refusals. Call it before the store is closed. */
  readonly close: () => Promise<void>;
  /** The answer of a call with this key; null when the call was not made yet. It is then refused if it comes within the next minutes. */
  readonly withdraw: (call: Call) => Promise<Outcome | null>;
  /** The progress of what a call has started, from now until its end; empty for a call that started nothing. Throws what `who` throws, and the reason of the signal. */
  readonly follow: (call: FollowedCall, signal: AbortSignal) => AsyncIterable<RunNews>;
  /** Stops what a call has started. Resolves when the stop is certain, before the end itself. */
  readonly stop: (call: FollowedCall) => Promise<void>;
  /** The events, and who gets them. */
  readonly events: Events;
  /** The sessions of MCP clients. */
  readonly client_sessions: ClientSessions;
}
