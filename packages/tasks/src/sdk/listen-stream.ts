import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { JsonObject } from '#json';
import type { TaskSubscription } from '#wire/rev-2026-07-28/index';

const KEEP_ALIVE_MS = 15_000;

/** An answer to `subscriptions/listen`: the acknowledgement, then each task at every change, until either side ends it. */
export class ListenStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #stop: () => void = () => undefined;
  readonly #id: string | number;
  readonly #meta: JsonObject;
  readonly #onEnd: (stream: ListenStream) => void;

  constructor(id: string | number, subscription: TaskSubscription, onEnd: (stream: ListenStream) => void) {
    this.#id = id;
    this.#meta = { [SUBSCRIPTION_ID_META_KEY]: id };
    this.#onEnd = onEnd;
    this.body = new ReadableStream({
      start: (controller) => this.#start(controller, subscription),
      cancel: () => this.#end(),
    });
  }

  /** Ends the stream with a response, so that the client knows that it was not cut off. */
  close(): void {
    this.#send({ id: this.#id, result: { resultType: 'complete', _meta: this.#meta } });
    this.#controller?.close();
    this.#end();
  }

  #start(controller: ReadableStreamDefaultController<Uint8Array>, { task_ids, follow }: TaskSubscription): void {
    this.#controller = controller;
    const params = { notifications: { taskIds: task_ids }, _meta: this.#meta };
    this.#send({ method: 'notifications/subscriptions/acknowledged', params });
    const unfollow = follow((notification) => this.#send(notification), this.#meta);
    const keepAlive = setInterval(() => this.#write(': keep-alive\n\n'), KEEP_ALIVE_MS).unref();
    this.#stop = () => {
      unfollow();
      clearInterval(keepAlive);
    };
  }

  #end(): void {
    this.#controller = undefined;
    this.#stop();
    this.#onEnd(this);
  }

  #send(message: JsonObject): void {
    this.#write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  }

  #write(frame: string): void {
    this.#controller?.enqueue(Buffer.from(frame));
  }
}
