import { type IncomingMessage, request } from 'node:http';
import { createEventReader } from './event-reader.ts';

interface Options {
  readonly token?: string;
  /** What a browser sends instead of a token. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly last_event_id?: string;
  /** Cuts the connection after this many bytes of the stream. */
  readonly most?: number;
}

/** Opens `GET /api/v1/events` as a browser does, and reads until it is closed. */
export function openEvents(origin: string, { token, headers, query = '', last_event_id, most = Infinity }: Options) {
  const reader = createEventReader();
  const answered = Promise.withResolvers<IncomingMessage>();
  const closed = Promise.withResolvers<'ended' | 'cut'>();
  const outgoing = request(`${origin}/api/v1/events${query}`, {
    agent: false,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
      accept: 'text/event-stream',
      ...(last_event_id !== undefined && { 'last-event-id': last_event_id }),
    },
  });
  outgoing.on('response', (incoming) => {
    let left = most;
    incoming.on('data', (bytes: Buffer) => {
      if (left <= 0) return;
      reader.feed(bytes.subarray(0, Math.min(left, bytes.length)));
      left -= bytes.length;
      if (left <= 0) outgoing.destroy();
    });
    incoming.on('error', () => {});
    incoming.on('close', () => closed.resolve(incoming.complete ? 'ended' : 'cut'));
    answered.resolve(incoming);
  });
  outgoing.on('error', answered.reject);
  outgoing.end();

  return { ...reader, answered: answered.promise, closed: closed.promise, cut: () => outgoing.destroy() };
}

/** The same, but resolves after the first message of the server: every later change arrives. */
export async function listenTo(origin: string, options: Options) {
  const events = openEvents(origin, options);
  const { statusCode } = await events.answered;
  if (statusCode !== 200) throw new Error(`The stream was refused with ${statusCode}.`);
  await events.until(() => events.heard.length > 0);
  return events;
}
