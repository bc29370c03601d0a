import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '#call';
import { changeNotification } from '#changes';
import type { Change } from '#host';
import {
  errorText,
  INVALID_REQUEST,
  notificationText,
  type RpcId,
  type RpcNotification,
  type RpcResponse,
} from '#json-rpc';
import type { SessionNews } from '#rev-2025/session-news';
import type { Session, SessionOptions } from '#sessions';
import type { Wire } from '#wire';
import { reads } from './accepts.ts';
import { EventStream, type OpenStreams } from './event-stream.ts';
import { writeJson } from './post-channel.ts';
import { createSessionStreams } from './session-streams.ts';

export const NO_SESSION =
  'The Mcp-Session-Id header is missing: send initialize first, then the session id of its answer with every request.';

/** The stream for messages that belong to no request. */
const STANDALONE = 'standalone';

export interface SessionEndpoint<Caller> {
  /** Finds the session; null for a client without one; undefined when the request was refused for its session. */
  readonly find: (req: IncomingMessage, res: ServerResponse, caller: Caller) => Promise<Session | null | undefined>;
  readonly receive: (session: Session, message: RpcNotification | RpcResponse) => Promise<void>;
  /** Lets the client cancel the call by its id. Returns a function that ends this. */
  readonly track: (session: Session, call: Call<Caller>) => () => void;
  /** Returns the news of a session; null when the host has no tasks. */
  readonly newsOf: (session: Session) => SessionNews | null;
  /** Opens the standalone stream. Resolves to false when the request was refused. */
  readonly stream: (req: IncomingMessage, res: ServerResponse, caller: Caller) => Promise<boolean>;
  readonly end: (req: IncomingMessage, res: ServerResponse, caller: Caller) => Promise<void>;
}

/** Serves what 2025 clients do with their session besides requests. */
export function createSessionEndpoint<Caller>(
  wire: Wire<Caller>,
  { store, log, is_optional = false }: SessionOptions<Caller>,
  streams: OpenStreams<{ windUp(): void }>,
): SessionEndpoint<Caller> {
  const { host, report } = wire;
  const calls = new Map<string, Call<Caller>>();
  const standalone = new Map<string, EventStream>();
  const taskStreams = createSessionStreams(wire, store, (session_id) => standalone.get(session_id)?.end());

  async function find(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<Session | null | undefined> {
    const session_id = req.headers['mcp-session-id'];
    if (session_id === undefined && is_optional) return null;
    const known = typeof session_id === 'string' ? await store.find(caller, session_id) : undefined;
    if (known === undefined) {
      const missing = session_id === undefined;
      const message = missing ? NO_SESSION : 'Session not found. Initialize again.';
      writeJson(res, missing ? 400 : 404, errorText(undefined, INVALID_REQUEST, message));
    }
    return known;
  }

  /** Finds the session like `find`, for a request that needs one. */
  async function need(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<Session | undefined> {
    const session = await find(req, res, caller);
    if (session !== null) return session;
    res.setHeader('allow', 'POST');
    writeJson(res, 405, errorText(undefined, INVALID_REQUEST, 'Method not allowed without a session.'));
    return undefined;
  }

  async function receive({ session_id }: Session, message: RpcNotification | RpcResponse): Promise<void> {
    if (message.kind === 'response') {
      await log?.settle(session_id, message.id, { result: message.result, error: message.error });
    } else if (message.method === 'notifications/cancelled') {
      const { requestId }: { readonly requestId?: unknown } = message.params;
      calls.get(keyOf(session_id, requestId))?.cancel();
    }
  }

  function track({ session_id }: Session, call: Call<Caller>): () => void {
    const key = keyOf(session_id, call.request.id);
    calls.set(key, call);
    return () => {
      if (calls.get(key) === call) calls.delete(key);
    };
  }

  async function stream(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<boolean> {
    const session = await need(req, res, caller);
    if (session === undefined) return false;
    if (!reads(req.headers.accept, 'text/event-stream')) {
      writeJson(res, 406, errorText(undefined, INVALID_REQUEST, 'Accept text/event-stream.'));
      return false;
    }
    if (log === undefined) {
      const events = new EventStream(res, undefined);
      const send = (message: string): void => events.write(message);
      keepOpen(session, caller, { res, events, send, stop: () => undefined, stream_id: STANDALONE });
      return true;
    }

    const resumed = req.headers['last-event-id'];
    const from = typeof resumed === 'string' ? { after: resumed } : { stream_id: STANDALONE };
    let events: EventStream | undefined;
    const following = log.follow(session.session_id, from, (event) => {
      events ??= new EventStream(res, undefined);
      events.write(event.message, event.event_id);
      if (event.last) events.end();
    });
    if (following === undefined) {
      writeJson(res, 400, errorText(undefined, INVALID_REQUEST, 'Unknown Last-Event-ID.'));
      return false;
    }
    events ??= new EventStream(res, undefined);
    const { session_id } = session;
    const send = (message: string): void =>
      void log.append(session_id, STANDALONE, { message, last: false }).catch(report);
    keepOpen(session, caller, { res, events, send, ...following });
    return true;
  }

  interface OpenedStream {
    readonly res: ServerResponse;
    readonly events: EventStream;
    readonly send: (message: string) => void;
    readonly stop: () => void;
    readonly stream_id: string;
  }

  function keepOpen(session: Session, caller: Caller, opened: OpenedStream): void {
    const { session_id } = session;
    const { res, events, send, stop } = opened;
    const alone = opened.stream_id === STANDALONE;
    const tell = (change: Change) => tellSession(caller, session_id, change, send).catch(report);
    const unsubscribe = alone ? host.changes?.subscribe(caller, tell) : undefined;
    streams.add(events, { windUp: () => events.end() }, res);
    if (alone) {
      // A client that reconnects before its old connection is known to be dead would read every message twice.
      standalone.get(session_id)?.end();
      standalone.set(session_id, events);
    }
    const silence = alone ? taskStreams.begin(session, caller, send) : undefined;
    const close = (): void => {
      stop();
      unsubscribe?.();
      silence?.();
      if (standalone.get(session_id) === events) standalone.delete(session_id);
    };
    if (res.destroyed) close();
    else res.once('close', close);
  }

  async function tellSession(
    caller: Caller,
    session_id: string,
    change: Change,
    send: (message: string) => void,
  ): Promise<void> {
    const session = await store.find(caller, session_id);
    if (session === undefined) return;
    if (change.kind === 'resource' && !session.subscriptions.includes(change.uri)) return;
    const { method, params } = changeNotification(change);
    send(notificationText(method, params));
  }

  async function end(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void> {
    const session = await need(req, res, caller);
    if (session === undefined) return;
    await store.end(caller, session.session_id);
    standalone.get(session.session_id)?.end();
    res.writeHead(204).end();
  }

  return { find, receive, track, newsOf: taskStreams.newsOf, stream, end };
}

const keyOf = (session_id: string, id: RpcId | unknown): string => `${session_id} ${JSON.stringify(id)}`;
