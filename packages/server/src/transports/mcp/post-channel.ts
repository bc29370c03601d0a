import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '#transports/json';
import type { Channel } from './call.ts';
import { EventStream, type OpenStreams } from './event-stream.ts';
import { requestText } from './json-rpc.ts';
import type { SessionNews } from './rev-2025/session-news.ts';
import type { ClientAnswer, Session, SessionChange, SessionStore } from './sessions.ts';

const ASK_TIMEOUT_MS = 10 * 60_000;

/** The revision whose clients understand an event without data. */
const PRIMED_SINCE = '2025-11-25';

/** What the client reads: one JSON document, a stream, or whichever is sent. */
export type Accepts = 'json' | 'stream' | 'either';

export interface PostChannelOptions {
  readonly res: ServerResponse;
  readonly accepts: Accepts;
  readonly streams: OpenStreams<{ windUp(): void }>;
  readonly store: SessionStore | null;
  readonly owner: string;
  readonly session: Session | null;
  readonly newsOf: ((session: Session) => SessionNews | null) | null;
}

/** The answer to one POST: JSON, until something has to be said before the answer. */
export class PostChannel implements Channel {
  session: Session | null;
  /** The call that is being answered here, once there is one. */
  call: { windUp(): void } | undefined;
  readonly #options: PostChannelOptions;
  #begun = false;
  #stream: EventStream | undefined;
  #stream_id: string | undefined;
  #unfollow: (() => void) | undefined;

  constructor(options: PostChannelOptions) {
    this.#options = options;
    this.session = options.session;
  }

  get streams(): boolean {
    return this.#options.accepts !== 'json';
  }

  get ask(): Channel['ask'] {
    if (this.session === null || !this.streams) return null;
    return (method, params, signal) => this.#ask(method, params, signal);
  }

  get news(): SessionNews | null {
    return this.session === null ? null : (this.#options.newsOf?.(this.session) ?? null);
  }

  async begin(facts: Omit<Session, 'session_id' | 'owner'>): Promise<void> {
    if (this.#options.store === null) return;
    const session = { ...facts, session_id: randomUUID(), owner: this.#options.owner };
    await this.#options.store.open(session);
    this.session = session;
    this.#begun = true;
  }

  async change(change: SessionChange): Promise<void> {
    if (this.session === null || this.#options.store === null) return;
    await this.#options.store.change(this.session.session_id, change);
  }

  send(message: string): void {
    if (!this.streams) return;
    this.openStream();
    this.#put(message, false);
  }

  finish(status: number, text: string): void {
    if (this.#options.accepts === 'stream') this.openStream();
    if (this.#stream !== undefined) this.#put(text, true);
    else writeJson(this.#options.res, status, text, this.#begun ? this.session?.session_id : undefined);
  }

  /** Ends without an answer, since the client wants none any more. */
  abandon(): void {
    if (this.streams) this.closeStream();
    else this.#options.res.writeHead(202).end();
  }

  openStream(): void {
    if (this.#stream !== undefined || !this.streams) return;
    const { res, streams, store } = this.#options;
    const stream = new EventStream(res, this.#begun ? this.session?.session_id : undefined);
    this.#stream = stream;
    streams.add(stream, this, res);
    if (this.session === null || store === null) return;

    this.#stream_id = randomUUID();
    this.#unfollow = store.follow(this.session.session_id, { stream_id: this.#stream_id }, (event) => {
      stream.write(event.message, event.event_id);
      if (event.last) stream.end();
    })?.stop;
    if (res.destroyed) this.#unfollow?.();
    else res.once('close', () => this.#unfollow?.());
    if (this.session.protocol_version >= PRIMED_SINCE) this.#put('', false);
  }

  closeStream(): void {
    if (!this.streams) return;
    this.openStream();
    this.#unfollow?.();
    this.#stream?.end();
  }

  onGone(listener: () => void): void {
    const { res } = this.#options;
    if (res.destroyed) listener();
    else res.once('close', () => res.writableFinished || listener());
  }

  windUp(): void {
    this.call?.windUp();
  }

  async #ask(method: string, params: JsonObject, signal: AbortSignal): Promise<ClientAnswer> {
    const { store } = this.#options;
    if (this.session === null || store === null) throw new Error('A client without a session cannot answer.');
    const id = randomUUID();
    const patience = AbortSignal.any([signal, AbortSignal.timeout(ASK_TIMEOUT_MS)]);
    const answer = store.expect(this.session.session_id, id, patience);
    this.send(requestText(id, method, params));
    return await answer;
  }

  #put(message: string, last: boolean): void {
    const { store } = this.#options;
    if (this.session !== null && store !== null && this.#stream_id !== undefined) {
      // A failed append is a dead store: whoever waits for the stream is cut off and may resume.
      store
        .append(this.session.session_id, this.#stream_id, { message, last })
        .catch(() => this.#options.res.destroy());
      return;
    }
    this.#stream?.write(message);
    if (last) this.#stream?.end();
  }
}

export function writeJson(res: ServerResponse, status: number, text: string, session_id?: string): void {
  const length = Buffer.byteLength(text);
  res.writeHead(
    status,
    session_id === undefined
      ? { 'content-type': 'application/json', 'content-length': length }
      : { 'content-type': 'application/json', 'content-length': length, 'mcp-session-id': session_id },
  );
  res.end(text);
}
