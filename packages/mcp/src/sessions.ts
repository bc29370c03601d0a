import type { ClientInfo } from './client-info.ts';
import type { LogLevel } from './host.ts';
import type { JsonObject } from './json.ts';
import type { RpcId } from './json-rpc.ts';

/** What a 2025 client said when it initialized, and asked for since. */
export interface ClientFacts {
  readonly protocol_version: string;
  readonly client_capabilities: JsonObject;
  /** Null for one that does not say. */
  readonly client: ClientInfo | null;
  readonly log_level: LogLevel | null;
  /** Resources whose updates it wants. */
  readonly subscriptions: readonly string[];
}

export interface Session extends ClientFacts {
  readonly session_id: string;
}

export type SessionChange = Partial<Pick<Session, 'log_level' | 'subscriptions'>>;

/** The questions of tasks that are out, so that two servers do not ask one client the same. */
export interface QuestionClaims {
  /** Whether this process may put the question: false while another one holds it. */
  readonly claimQuestion: (session_id: string, question_id: string) => Promise<boolean>;
  /** Keeps the questions that this process holds. */
  readonly renewQuestions: () => Promise<void>;
  readonly releaseQuestion: (session_id: string, question_id: string) => Promise<void>;
}

/**
 * Sessions as records: nothing of a session lives in the process that took its last request, so that any process can
 * take the next one, or the answer to a question that another one put.
 */
export interface SessionStore<Caller> extends QuestionClaims {
  /** Null where the client is served without a session. */
  readonly open: (caller: Caller, facts: ClientFacts) => Promise<Session | null>;
  /** Undefined when the session is unknown, ended or another caller's. */
  readonly find: (caller: Caller, session_id: string) => Promise<Session | undefined>;
  readonly end: (caller: Caller, session_id: string) => Promise<void>;
  /** A task was made in the session: the process that has its stream may be another one. */
  readonly announceTask: (session_id: string) => Promise<void>;
  /** How many tasks were made in each of the sessions that exist. */
  readonly tasksMade: (session_ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

export interface StreamEvent {
  readonly event_id: string;
  /** Empty for the event that only gives the client an id to resume from. */
  readonly message: string;
  /** Nothing follows on this stream. */
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
 * What was sent on the streams of sessions: a host needs it whose plain calls ask the client, whose clients subscribe
 * to resources or choose a log level, or whose streams are resumed message by message.
 */
export interface StreamLog {
  readonly change: (session_id: string, change: SessionChange) => Promise<void>;
  readonly append: (session_id: string, stream_id: string, message: StreamMessage) => Promise<void>;
  /** Delivers what comes after an event, or from now on. Undefined for an unknown event. */
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
  /** Whether clients may do without a session; each that has none is served from request to request. */
  readonly is_optional?: boolean;
}
