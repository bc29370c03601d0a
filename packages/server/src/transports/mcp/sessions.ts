import type { JsonObject } from '#transports/json';
import type { ClientInfo } from './client-hints.ts';
import type { LogLevel } from './host.ts';
import type { RpcId } from './json-rpc.ts';

/** What a 2025 client said when it initialized, and asked for since. */
export interface Session {
  readonly session_id: string;
  /** Whose session it is: for anyone else it does not exist. */
  readonly owner: string;
  readonly protocol_version: string;
  readonly client_capabilities: JsonObject;
  /** Null for one that does not say. */
  readonly client: ClientInfo | null;
  readonly log_level: LogLevel | null;
  /** Resources whose updates it wants. */
  readonly subscriptions: readonly string[];
}

export type SessionChange = Partial<Pick<Session, 'log_level' | 'subscriptions'>>;

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
 * Sessions as records: nothing of a session lives in the process that took its last request, so that any process can
 * take the next one, resume a stream, or receive the answer that another one waits for.
 */
export interface SessionStore {
  readonly open: (session: Session) => Promise<void>;
  readonly find: (owner: string, session_id: string) => Promise<Session | undefined>;
  readonly change: (session_id: string, change: SessionChange) => Promise<void>;
  /** Ends it: streams stop, questions are not answered any more. */
  readonly end: (session_id: string) => Promise<void>;
  readonly append: (session_id: string, stream_id: string, message: StreamMessage) => Promise<void>;
  /** Delivers what comes after an event, or from now on. Undefined for an unknown event. */
  readonly follow: (
    session_id: string,
    from: { readonly stream_id: string } | { readonly after: string },
    deliver: (event: StreamEvent) => void,
  ) => Following | undefined;
  readonly expect: (session_id: string, request_id: RpcId, signal: AbortSignal) => Promise<ClientAnswer>;
  /** False when nobody waits for that answer. */
  readonly settle: (session_id: string, request_id: RpcId, answer: ClientAnswer) => Promise<boolean>;
}
