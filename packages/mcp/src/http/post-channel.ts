import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Channel } from '#call';
import type { JsonObject } from '#json';
import { requestText } from '#json-rpc';
import type { SessionNews } from '#rev-2025/session-news';
import type { ClientAnswer, ClientFacts, Session, SessionChange, StreamLog } from '#sessions';
import type { Accepts } from './accepts.ts';
import { EventStream, type OpenStreams } from './event-stream.ts';

const ASK_TIMEOUT_MS = 10 * 60_000;

/** The first revision whose clients understand an event without data. */
const PRIMED_SINCE = '2025-11-25';

export interface PostChannelOptions {
  readonly res: ServerResponse;
  readonly accepts: Accepts;
  readonly streams: OpenStreams<{ windUp(): void }>;
  /** Opens a session for a client at `initialize`; null when there are no sessions. */
  readonly open: ((facts: ClientFacts) => Promise<Session | null>) | null;
  readonly log: StreamLog | null;
  readonly session: Session | null;
  /** The event id with which another process can resume this request; undefined when none can. */
  readonly resume_id: string | undefined;
  readonly newsOf: ((session: Session) => SessionNews | null) | null;
}

/** The answer to one POST: JSON, or a stream as soon as a message is sent before the answer. */
export class PostChannel implements Channel {
  session: Session | null;
  /** The call that this channel answers, once there is one. */
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
    const { log } = this.#options;
    if (this.session === null || log === null || !this.streams) return null;
    return (method, params, signal) => this.#ask(method, params, signal);
  }

  get news(): SessionNews | null {
    return this.session === null ? null : (this.#options.newsOf?.(this.session) ?? null);
  }

  /** True when the client can fetch messages that were sent while it was disconnected. */
  get keeps(): boolean {
    return this.session !== null && this.#options.log !== null;
  }

  /** True when the client can resume the request in another process. */
  get resumes(): boolean {
    return this.streams && this.#options.resume_id !== undefined;
  }

  async begin(facts: ClientFacts): Promise<void> {
    this.session = (await this.#options.open?.(facts)) ?? null;
    this.#begun = this.session !== null;
  }

  async change(change: SessionChange): Promise<void> {
    if (this.session !== null) await this.#options.log?.change(this.session.session_id, change);
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

  /** Ends without an answer, because the client no longer wants one. */
  abandon(): void {
    if (this.streams) this.closeStream();
    else this.#options.res.writeHead(202).end();
  }

  openStream(): void {
    if (this.#stream !== undefined || !this.streams) return;
    const { res, streams, log, resume_id } = this.#options;
    const stream = new EventStream(res, this.#begun ? this.session?.session_id : undefined);
    this.#stream = stream;
    streams.add(stream, this, res);
    if (this.session === null) return;
    const isPrimed = this.session.protocol_version >= PRIMED_SINCE;
    if (isPrimed && resume_id !== undefined) stream.write('', resume_id);
    if (log === null) return;

    this.#stream_id = randomUUID();
    this.#unfollow = log.follow(this.session.session_id, { stream_id: this.#stream_id }, (event) => {
      stream.write(event.message, event.event_id);
      if (event.last) stream.end();
    })?.stop;
    if (res.destroyed) this.#unfollow?.();
    else res.once('close', () => this.#unfollow?.());
    if (isPrimed) this.#put('', false);
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
    const { log } = this.#options;
    if (this.session === null || log === null) throw new Error('A client without a session cannot answer.');
    const id = randomUUID();
    const patience = AbortSignal.any([signal, AbortSignal.timeout(ASK_TIMEOUT_MS)]);
    const answer = log.expect(this.session.session_id, id, patience);
    this.send(requestText(id, method, params));
    return await answer;
  }

  #put(message: string, last: boolean): void {
    const { log } = this.#options;
    if (this.session !== null && log !== null && this.#stream_id !== undefined) {
      // When the log fails, cut the client off; it can resume.
      log.append(this.session.session_id, this.#stream_id, { message, last }).catch(() => this.#options.res.destroy());
      return;
    }
    this.#stream?.write(message);
    if (last) this.#stream?.end();
  }
}

export function writeJson(res: ServerResponse, status: number, text: string, session_id?: string): void {
  const length = Buffer.byteLength(text);
  // The same bytes: of a text without other characters, this encoding need not be computed.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  res.writeHead(
    status,
    session_id === undefined
      ? { 'content-type': 'application/json', 'content-length': length }
      : { 'content-type': 'application/json', 'content-length': length, 'mcp-session-id': session_id },
  );
  res.end(text, encoding);
}
