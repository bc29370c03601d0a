import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';

type HeaderValues = Readonly<Record<string, string | number | readonly string[]>>;

/** Makes a node request of a `Request`, with the fields that this library reads. */
export function requestOf(request: Request): IncomingMessage {
  // The cast: it is the same stream, with two unrelated type declarations.
  const body = request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as unknown as NodeStream);
  const headers = Object.fromEntries(request.headers);
  headers.host ??= new URL(request.url).host;
  const { pathname, search } = new URL(request.url);
  const fields = {
    method: request.method,
    url: `${pathname}${search}`,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    complete: false,
  };
  // The cast: this library reads only the stream and these fields.
  return Object.assign(body, fields) as unknown as IncomingMessage;
}

/** A node response that turns all writes into a `Response`. */
class FetchResponse extends Writable {
  readonly response: Promise<Response>;
  readonly #headers = new Headers();
  readonly #settle: (response: Response) => void;
  #status = 200;
  #isSent = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #proceed: (() => void) | undefined;

  constructor() {
    super({ decodeStrings: true });
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#settle = resolve;
    this.once('close', () => this.#over());
  }

  get headersSent(): boolean {
    return this.#isSent;
  }

  setHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  writeHead(status: number, headers: HeaderValues = {}): this {
    this.#status = status;
    for (const [name, value] of Object.entries(headers)) this.#headers.set(name, String(value));
    return this;
  }

  flushHeaders(): void {
    if (this.#isSent) return;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => {
        // Clear it before the call, which may write the next chunk at once.
        const proceed = this.#proceed;
        this.#proceed = undefined;
        proceed?.();
      },
      cancel: () => void this.destroy(),
    });
    this.#send(body);
  }

  override end(...given: unknown[]): this {
    const [text] = given;
    if (this.#isSent) return text === undefined ? super.end() : super.end(String(text));
    this.#send(text === undefined ? null : String(text));
    return super.end();
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.flushHeaders();
    this.#controller?.enqueue(new Uint8Array(chunk));
    if ((this.#controller?.desiredSize ?? 1) > 0) done();
    else this.#proceed = done;
  }

  #send(body: ReadableStream<Uint8Array> | string | null): void {
    this.#isSent = true;
    this.#settle(new Response(body, { status: this.#status, headers: this.#headers }));
  }

  #over(): void {
    if (!this.#isSent) this.#settle(new Response(null, { status: 500 }));
    if (this.writableFinished) this.#controller?.close();
    else
      try {
        this.#controller?.error(new Error('The server ended the stream.'));
      } catch {
        // The client has already cancelled the stream.
      }
  }
}

/** Makes a node response and the `Response` that it results in. */
export function responseOf(): { readonly res: ServerResponse; readonly response: Promise<Response> } {
  const written = new FetchResponse();
  // The cast: it has every member that is used here.
  return { res: written as unknown as ServerResponse, response: written.response };
}
