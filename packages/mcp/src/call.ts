import { type ClientInfo, clientInfoOf } from './client-info.ts';
import { type CallContext, LOG_LEVELS, type LogLevel } from './host.ts';
import { answersTo } from './input-needed.ts';
import type { JsonObject } from './json.ts';
import { notificationText, type RpcRequest } from './json-rpc.ts';
import type { SessionNews } from './rev-2025/session-news.ts';
import type { Revision } from './revision.ts';
import type { ClientAnswer, ClientFacts, Session, SessionChange } from './sessions.ts';
import { CLIENT_INFO } from './versions.ts';

/** The connection to the client while one of its requests is being answered. */
export interface Channel {
  /** The session of a 2025 client; null when there is none. */
  readonly session: Session | null;
  /** True when messages can be sent before the answer. */
  readonly streams: boolean;
  /** Sends a message before the answer. It is dropped when the client accepts no stream. */
  readonly send: (message: string) => void;
  /** Sends a request to the client; null when its answer could not be received. */
  readonly ask: ((method: string, params: JsonObject, signal: AbortSignal) => Promise<ClientAnswer>) | null;
  readonly begin: (facts: ClientFacts) => Promise<void> | void;
  readonly change: (change: SessionChange) => Promise<void> | void;
  /** The news about tasks that the session gets apart from this request; null when it can get none. */
  readonly news: SessionNews | null;
  /** Opens the stream before there is anything to send. Does nothing when the client accepts no stream. */
  readonly openStream: () => void;
  /** True when the client can fetch messages that were sent while it was disconnected. */
  readonly keeps: boolean;
  readonly closeStream: () => void;
  /** Calls the listener once when the client disconnects before the answer. */
  readonly onGone: (listener: () => void) => void;
}

export interface CallOptions<Caller> {
  readonly revision: Revision;
  readonly protocol_version: string;
  readonly request: RpcRequest;
  readonly caller: Caller;
  readonly channel: Channel;
  readonly client_capabilities: JsonObject;
  /** The lowest level of log messages that the client wants; null for none. */
  readonly log_level: LogLevel | null;
  readonly correlation_id: string | undefined;
  /** The `user-agent` header of an HTTP request. */
  readonly user_agent: string | undefined;
}

interface CallMeta {
  readonly progressToken?: unknown;
}

/** A request that is being answered. */
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
  /** True when the client has cancelled the call: nothing more is sent for it. */
  cancelled = false;
  /** True for a call that lasts until the client or the server ends it. */
  lasting = false;
  /** True when the server has asked the call to answer early. */
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

  /** Created at the first use: most calls end before a client could cancel them. */
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

  /** Asks a lasting call to answer now. Any other call ends by itself. */
  windUp(): void {
    if (!this.lasting) return;
    this.wound_up = true;
    this.#abort?.abort();
  }

  send(message: string): void {
    if (!this.cancelled) this.channel.send(message);
  }

  // Functions for tools, which work without `this`. They are created at the first use, since most calls use none.

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

export const isLogLevel = (value: unknown): value is LogLevel =>
  typeof value === 'string' && LOG_LEVELS.some((level) => level === value);
