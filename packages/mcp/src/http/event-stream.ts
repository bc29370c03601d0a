import type { ServerResponse } from 'node:http';
import { oneLine } from '#json-rpc';

const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 500;

/** What a client may leave unread before it is cut off: a stream that its client does not read must not fill the memory. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** Server-sent events on one response. */
export class EventStream {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse, session_id: string | undefined) {
    this.#res = res;
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...(session_id !== undefined && { 'mcp-session-id': session_id }),
    });
    res.flushHeaders();
  }

  /** Writes a message. An empty one only gives the client an id to resume from, and the retry delay. */
  write(message: string, event_id?: string): void {
    const id = event_id === undefined ? '' : `id: ${event_id}\n`;
    if (message === '') this.#put(`${id}retry: ${RETRY_MS}\ndata: \n\n`);
    else this.#put(`${id}event: message\ndata: ${oneLine(message)}\n\n`);
  }

  keepAlive(): void {
    this.#put(':\n\n');
  }

  end(): void {
    this.#res.end();
  }

  #put(text: string): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    this.#res.write(text);
    if (this.#res.writableLength > MAX_UNREAD_BYTES) this.#res.destroy();
  }
}

/** The open streams and their owners. Keep-alives prevent timeouts, and the server can end all streams. */
export class OpenStreams<Owner extends { windUp(): void }> {
  readonly #open = new Map<EventStream, Owner>();
  #timer: NodeJS.Timeout | undefined;

  add(stream: EventStream, owner: Owner, res: ServerResponse): void {
    // The response is already closed, so no `close` event would ever remove the stream.
    if (res.destroyed) return;
    this.#open.set(stream, owner);
    this.#timer ??= setInterval(() => this.#keepAlive(), KEEP_ALIVE_MS).unref();
    res.once('close', () => this.#remove(stream));
  }

  windUp(): void {
    for (const owner of this.#open.values()) owner.windUp();
  }

  #keepAlive(): void {
    for (const stream of this.#open.keys()) stream.keepAlive();
  }

  #remove(stream: EventStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
