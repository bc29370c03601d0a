import type { Words } from '#advice';
import type { Caller } from '#domain/caller';
import type { Hints } from '#domain/hints';
import type { Tool } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';
import type { ClientSessions } from './client-sessions.ts';
import type { Events } from './events.ts';
import type { FollowedCall, RunNews } from './follow-run.ts';
import type { TaskSight } from './task-sight.ts';

export type TransportName = 'mcp-http' | 'mcp-stdio' | 'rest' | 'cli' | 'web';

export interface Call {
  readonly caller: Caller;
  readonly tool: Tool;
  /** The arguments as they came, unchecked. */
  readonly input: unknown;
  readonly transport: TransportName;
  /** From `traceparent` or a request header, when the caller sent one; the gateway makes one otherwise. */
  readonly correlation_id?: string | undefined;
  readonly hints?: Hints | undefined;
  /** Aborted when nobody waits for the answer any more: a call that only waits stops, a change that began is finished. */
  readonly signal?: AbortSignal | undefined;
}

/** A failure of a call. Its words are data until a transport spells the names in them: see `worded`. */
export interface CallError extends Omit<WireError, 'message' | 'hint'> {
  readonly message: Words;
  readonly hint?: readonly Words[];
}

/** A failure as it goes over the wire, whatever the transport. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
  readonly correlation_id: string;
}

/** The answer as JSON text, so that no transport has to serialise it again; or what went wrong, and the HTTP status for it. */
export type Outcome = { readonly ok: true; readonly json: string } | Refused;

export interface Refused {
  readonly ok: false;
  readonly error: CallError;
  readonly status: number;
}

/** What is told of a call: enough to follow it, nothing of what was said. */
export interface CallRecord {
  readonly tool: string;
  readonly transport: TransportName;
  /** The user whom the call is about; of an app's user the id that the app gives them. */
  readonly user_id: string;
  /** Whom the call named without being allowed to, as far as it can be written down; `user_id` is then the caller's own. */
  readonly named_user_id?: string;
  /** The app whose user `user_id` is. */
  readonly app?: string;
  readonly agent_id: string | null;
  readonly latency_ms: number;
  /** "ok", or the code of the error. */
  readonly outcome: string;
  readonly correlation_id: string;
  /** What really happened, when the caller was only given a number; for the log alone. */
  readonly error?: unknown;
}

export interface Gateway extends TaskSight {
  /** Who presents this bearer token (null: none was sent). Throws `unauthenticated`; while the database is away it is a caller whose every call fails. Asked for every request, never kept: a revoked token ends at once. */
  readonly authenticate: (bearer: string | null) => Promise<Caller>;
  /** The owner of the machine, for stdio and the command line without a token. */
  readonly local: () => Promise<Caller>;
  /** Whether a browser may sign in with this key now. */
  readonly knowsSignInKey: (key: string) => Promise<boolean>;
  /** The caller as one whose process was started by this run, if it is one of an attempt that they may see. */
  readonly inRun: (caller: Caller, execution_id: string) => Promise<Caller>;
  /** What can be kept of a caller, to act for them later: no secret, and worth nothing without this installation. */
  readonly passOf: (caller: Caller) => string;
  /** The caller behind a pass, as far as they may still act: what was revoked in between counts. Throws `unauthenticated`. */
  readonly recall: (pass: string) => Promise<Caller>;
  /** The tools the caller may call, of one profile or of all. Throws the caller's fault. The same array for equal `scope_key`s: bytes made of it can be kept. */
  readonly visible: (caller: Caller, profile: ProfileName | 'all') => readonly Tool[];
  /** The caller as one who sees the tools of these profiles only; unchanged when no profiles are given. */
  readonly narrow: (caller: Caller, profiles: readonly ProfileName[] | undefined) => Caller;
  /** Finds a tool by its name in a profile, or by its full name in `all`, whether or not the caller may call it. */
  readonly find: (name: string, profile: ProfileName | 'all') => Tool | undefined;
  /** Never rejects: whatever happens becomes an outcome. */
  readonly dispatch: (call: Call) => Promise<Outcome>;
  /** Writes refusals that were counted; call it before the store is closed. */
  readonly close: () => Promise<void>;
  /** What a call with a key was answered; null when it was not made yet: then it is refused if it comes within the next minutes. */
  readonly withdraw: (call: Call) => Promise<Outcome | null>;
  /** How what a call has set going is getting on, from now until it is over; nothing for a call that has set nothing going. Throws what `who` throws, and the reason of the signal. */
  readonly follow: (call: FollowedCall, signal: AbortSignal) => AsyncIterable<RunNews>;
  /** Ends what a call has set going; resolves when that is certain, though not over yet. */
  readonly stop: (call: FollowedCall) => Promise<void>;
  /** What is told of changes, to whom. */
  readonly events: Events;
  /** The sessions of MCP clients. */
  readonly client_sessions: ClientSessions;
}
