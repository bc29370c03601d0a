import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrandError } from '#errors';
import type { Listening } from '#gateway/events';
import { numberOf, readQuestion } from '#gateway/events-filter';
import type { Gateway } from '#gateway/gateway';
import type { Authenticate } from '#transports/bearer';
import { createShares } from '#transports/shares';
import { type EventStream, openStream } from './stream.ts';

const MAX_STREAMS = 1_000;
const MAX_STREAMS_PER_TOKEN = 100;
const BEAT_EVERY_MS = 15_000;

/** How soon a stream ends after its token was revoked, and how soon changed grants take effect. */
const CONFIRM_EVERY_MS = 800;

interface Open {
  readonly stream: EventStream;
  readonly listening: Listening;
  /** The pass that finds the caller again: see `Gateway.passOf`. */
  readonly pass: string;
}

export interface EventStreams {
  /** Answers one request with a stream. Calls `leavePlace` when the request no longer counts as running. */
  readonly handle: (req: IncomingMessage, res: ServerResponse, leavePlace: () => void) => Promise<void>;
  /** Ends all streams and refuses new ones. */
  readonly close: () => void;
}

interface Needs {
  readonly gateway: Pick<Gateway, 'events' | 'passOf' | 'recall'>;
  readonly authenticate: Authenticate;
}

const tooMany = (code: 'rate_limited' | 'overloaded', message: string): ErrandError =>
  new ErrandError(code, message, { retry_after_ms: 5_000 });

/** The last number that the client has. `Last-Event-ID` of a reconnect wins over the number in the URL. */
function questionOf({ url = '', headers }: IncomingMessage) {
  const question = readQuestion(new URL(url, 'http://localhost').searchParams);
  const resumed = headers['last-event-id'];
  return resumed === undefined || resumed === ''
    ? question
    : { ...question, after: numberOf('Last-Event-ID', String(resumed)) };
}

/** `GET /api/v1/events` for all followers of this process. */
export function createEventStreams({ gateway, authenticate }: Needs): EventStreams {
  const opened = new Set<Open>();
  const places = createShares({ most: MAX_STREAMS, each: MAX_STREAMS_PER_TOKEN });
  let isClosed = false;
  let timers: readonly NodeJS.Timeout[] = [];

  const endOf = (error: unknown): string | null =>
    error instanceof ErrandError && error.code === 'unauthenticated' ? error.code : null;

  /** One check for all streams of a token. While the database is away, no token counts as revoked. */
  async function confirm(pass: string, streams: readonly Open[]): Promise<void> {
    try {
      const caller = await gateway.recall(pass);
      for (const { listening } of streams) listening.hearAs(caller);
    } catch (error) {
      const reason = endOf(error);
      if (reason !== null) for (const open of streams) end(open, reason);
    }
  }

  function confirmAll(): void {
    for (const { listening } of opened) listening.mark();
    for (const [pass, streams] of Map.groupBy(opened, ({ pass }) => pass)) void confirm(pass, streams);
  }

  function beat(): void {
    for (const { stream } of opened) stream.beat();
  }

  function add(open: Open): void {
    if (opened.size === 0) {
      timers = [setInterval(confirmAll, CONFIRM_EVERY_MS).unref(), setInterval(beat, BEAT_EVERY_MS).unref()];
    }
    opened.add(open);
  }

  function remove(open: Open): void {
    if (!opened.delete(open)) return;
    open.listening.stop();
    places.leave(open.pass);
    if (opened.size === 0) for (const timer of timers) clearInterval(timer);
  }

  /** Sends no more events, although reading the last of them may take a while. */
  function end(open: Open, reason?: string): void {
    remove(open);
    open.stream.end(reason);
  }

  function takePlace(pass: string): void {
    if (isClosed) throw tooMany('overloaded', 'This server is stopping. Try again.');
    if (places.isFull()) throw tooMany('overloaded', 'Too many event streams are open. Try again.');
    if (places.take(pass)) return;
    throw tooMany('rate_limited', 'This token has its share of event streams open. Close one of them first.');
  }

  return {
    handle: async (req, res, leavePlace) => {
      if (req.method !== 'GET') {
        throw new ErrandError('method_not_allowed', '/api/v1/events takes GET.', { details: { allow: 'GET' } });
      }
      const caller = await authenticate(req);
      const listening = await gateway.events.listen(caller, questionOf(req));
      if (res.destroyed) return;
      const pass = gateway.passOf(caller);
      takePlace(pass);

      leavePlace();
      const open = { stream: openStream(res), listening, pass };
      add(open);
      res.once('close', () => remove(open));
      listening.start(open.stream);
    },

    close: () => {
      isClosed = true;
      for (const open of opened) end(open);
    },
  };
}
