import type { ClientInfo } from './client-info.ts';
import type { LogLevel } from './host.ts';
import type { JsonObject } from './json.ts';
import type { RpcId } from './json-rpc.ts';

/** The data of a 2025 client from `initialize`, and its later settings. */
export interface ClientFacts {
  readonly protocol_version: string;
  readonly client_capabilities: JsonObject;
  /** Null for a client that gives no name. */
  readonly client: ClientInfo | null;
  readonly log_level: LogLevel | null;
  /** The resources whose updates the client wants. */
  readonly subscriptions: readonly string[];
}

export interface Session extends ClientFacts {
  readonly session_id: string;
}

export type SessionChange = Partial<Pick<Session, 'log_level' | 'subscriptions'>>;

/** Claims of open questions, so that two servers do not ask a client the same question. */
export interface QuestionClaims {
  /** Claims a question for this process. Resolves to false while another process holds it. */
  readonly claimQuestion: (session_id: string, question_id: string) => Promise<boolean>;
  /** Renews the claims of this process. */
  readonly renewQuestions: () => Promise<void>;
  readonly releaseQuestion: (session_id: string, question_id: string) => Promise<void>;
}

/**
 * Sessions as records: a process keeps nothing of a session in memory, so that any process can
 * take the next request, or the answer to a question that another process sent.
 */
export interface SessionStore<Caller> extends QuestionClaims {
  /** Opens a session; null when the client is served without one. */
  readonly open: (caller: Caller, facts: ClientFacts) => Promise<Session | null>;
  /** Finds a session; undefined when it is unknown, ended or another caller's. */
  readonly find: (caller: Caller, session_id: string) => Promise<Session | undefined>;
  readonly end: (caller: Caller, session_id: string) => Promise<void>;
  /** Records a new task of the session, for the process that has the session's stream. */
  readonly announceTask: (session_id: string) => Promise<void>;
  /** Returns how many tasks were created in each of the existing sessions. */
  readonly tasksMade: (session_ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

export interface StreamEvent {
  readonly event_id: string;
  /** The message; empty for an event that only gives the client an id to resume from. */
  readonly message: string;
  /** True for the last event of the stream. */
  readonly last: boolean;
}

export interface StreamMessage {
  readonly message: string;
  readonly last: boolean;
}

/** The client's answer to a request of the server. */
export interface ClientAnswer {
  readonly result: unknown;
  readonly error: unknown;
}

export interface Following {
  readonly stream_id: string;
  readonly stop: () => void;
}

/**
 * The log of messages on the streams of sessions. A host needs it if plain calls ask the client, if clients subscribe
 * to resources or choose a log level, or if streams are resumed message by message.
 */
export interface StreamLog {
  readonly change: (session_id: string, change: SessionChange) => Promise<void>;
  readonly append: (session_id: string, stream_id: string, message: StreamMessage) => Promise<void>;
  /** Delivers the messages after an event, or from now on. Undefined for an unknown event. */
  readonly follow: (
    session_id: string,
    from: { readonly stream_id: string } | { readonly after: string },
    deliver: (event: StreamEvent) => void,
  ) => Following | undefined;
  readonly expect: (session_id: string, request_id: RpcId, signal: AbortSignal) => Promise<ClientAnswer>;
  /** False when no call waits for that answer. */
  readonly settle: (session_id: string, request_id: RpcId, answer: ClientAnswer) => Promise<boolean>;
}

export interface SessionOptions<Caller> {
  readonly store: SessionStore<Caller>;
  readonly log?: StreamLog;
  /** True when clients may work without a session. Such a client is served request by request. */
  readonly is_optional?: boolean;
}
