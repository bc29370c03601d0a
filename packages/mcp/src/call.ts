import { type ClientInfo, clientInfoOf } from './client-info.ts';
import { type CallContext, LOG_LEVELS, type LogLevel } from './host.ts';
import { answersTo } from './input-needed.ts';
import type { JsonObject } from './json.ts';
import { notificationText, type RpcRequest } from './json-rpc.ts';
import type { SessionNews } from './rev-2025/session-news.ts';
import type { Revision } from './revision.ts';
import type { ClientAnswer, ClientFacts, Session, SessionChange } from './sessions.ts';
import { CLIENT_INFO } from './versions.ts';

/** The way back to the client while one of its requests is being answered. */
export interface Channel {
  /** The 2025 state of the client, where any is kept. */
  readonly session: Session | null;
  /** Whether messages can go ahead of the answer. */
  readonly streams: boolean;
  /** Sends a message ahead of the answer; dropped when the client takes no stream. */
  readonly send: (message: string) => void;
  /** Puts a request to the client; null where its answer could not find the way back. */
  readonly ask: ((method: string, params: JsonObject, signal: AbortSignal) => Promise<ClientAnswer>) | null;
  readonly begin: (facts: ClientFacts) => Promise<void> | void;
  readonly change: (change: SessionChange) => Promise<void> | void;
  /** What the session hears of its tasks apart from this request; null where it cannot hear anything. */
  readonly news: SessionNews | null;
  /** Begins the stream before there is anything to send; nothing where the client takes none. */
  readonly openStream: () => void;
  /** Whether the client can fetch what is sent while it is away. */
  readonly keeps: boolean;
  readonly closeStream: () => void;
  /** Calls back once when the client went away before the answer. */
  readonly onGone: (listener: () => void) => void;
}

export interface CallOptions<Caller> {
  readonly revision: Revision;
  readonly protocol_version: string;
  readonly request: RpcRequest;
  readonly caller: Caller;
  readonly channel: Channel;
  readonly client_capabilities: JsonObject;
  /** The least level of log message the client wants; null for none. */
  readonly log_level: LogLevel | null;
  readonly correlation_id: string | undefined;
  /** The `user-agent` header, where there are headers. */
  readonly user_agent: string | undefined;
}

interface CallMeta {
  readonly progressToken?: unknown;
}

/** One request while it is being answered. */
export class Call<Caller> implements CallContext<Caller> {
  readonly revision: Revision;
  readonly protocol_version: string;
  readonly request: RpcRequest;
  readonly caller: Caller;
  readonly channel: Channel;
  readonly client_capabilities: JsonObject;
  readonly correlation_id: string | undefined;
  readonly user_agent: string | undefined;
  input_responses: JsonObject = {};
  request_state: string | undefined;
  /** The client gave the call up: nothing is sent for it any more. */
  cancelled = false;
  /** The call goes on until somebody ends it. */
  lasting = false;
  /** The server asked for the answer before its time. */
  wound_up = false;
  readonly #log_level: LogLevel | null;
  #abort: AbortController | undefined;
  #unheard: AbortController | undefined;

  constructor(options: CallOptions<Caller>) {
    this.revision = options.revision;
    this.protocol_version = options.protocol_version;
    this.request = options.request;
    this.caller = options.caller;
    this.channel = options.channel;
    this.client_capabilities = options.client_capabilities;
    this.correlation_id = options.correlation_id;
    this.#log_level = options.log_level;
    this.user_agent = options.user_agent;
  }

  get client(): ClientInfo | null {
    return clientInfoOf(this.request.meta[CLIENT_INFO]) ?? this.channel.session?.client ?? null;
  }

  get meta(): JsonObject {
    return this.request.meta;
  }

  /** Made when first asked for: most calls are over before anyone could cancel them. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.cancelled) this.#abort.abort();
      if (this.revision.disconnect_cancels) this.channel.onGone(() => this.cancel());
    }
    return this.#abort.signal;
  }

  get unheard(): AbortSignal {
    if (this.#unheard === undefined) {
      const unheard = new AbortController();
      this.#unheard = unheard;
      if (this.cancelled) unheard.abort();
      if (!this.channel.keeps) this.channel.onGone(() => unheard.abort());
    }
    return this.#unheard.signal;
  }

  cancel(): void {
    this.cancelled = true;
    this.#abort?.abort();
    this.#unheard?.abort();
  }

  /** Asks for the answer now; a call that is not lasting comes to its end by itself. */
  windUp(): void {
    if (!this.lasting) return;
    this.wound_up = true;
    this.#abort?.abort();
  }

  send(message: string): void {
    if (!this.cancelled) this.channel.send(message);
  }

  // Functions that a tool may take out of its context: made when they are asked for, since most calls use none.

  get progress(): CallContext<Caller>['progress'] {
    return (progress, total, message) => {
      const { progressToken }: CallMeta = this.request.meta;
      if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return;
      this.send(notificationText('notifications/progress', { progressToken, progress, total, message }));
    };
  }

  get log(): CallContext<Caller>['log'] {
    return (level, data, logger) => {
      if (this.#log_level === null || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.#log_level)) return;
      this.send(notificationText('notifications/message', { level, logger, data }));
    };
  }

  get closeStream(): CallContext<Caller>['closeStream'] {
    return () => this.channel.closeStream();
  }

  get ask(): CallContext<Caller>['ask'] {
    return (requests) => answersTo(requests, this);
  }
}

export const isLogLevel = (value: unknown): value is LogLevel => LOG_LEVELS.some((level) => level === value);
