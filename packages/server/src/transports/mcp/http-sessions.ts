import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from './call.ts';
import { changeNotification } from './changes.ts';
import { EventStream, type OpenStreams } from './event-stream.ts';
import type { Change } from './host.ts';
import {
  errorText,
  INVALID_REQUEST,
  notificationText,
  type RpcId,
  type RpcNotification,
  type RpcResponse,
} from './json-rpc.ts';
import { writeJson } from './post-channel.ts';
import type { Session, SessionStore } from './sessions.ts';
import type { Wire } from './wire.ts';

/** The stream of what belongs to no request. */
const STANDALONE = 'standalone';

export interface SessionOptions<Caller> {
  readonly store: SessionStore;
  /** Whose sessions the caller may use; a session id alone opens nothing. */
  readonly ownerOf: (caller: Caller) => string;
}

export interface SessionEndpoint<Caller> {
  /** Undefined when the request was refused for its session. */
  readonly find: (req: IncomingMessage, res: ServerResponse, caller: Caller) => Promise<Session | undefined>;
  readonly receive: (session: Session, message: RpcNotification | RpcResponse) => Promise<void>;
  /** Lets the client cancel the call by its id; returns the way to forget it. */
  readonly track: (session: Session, call: Call<Caller>) => () => void;
  readonly stream: (req: IncomingMessage, res: ServerResponse, caller: Caller) => Promise<void>;
  readonly end: (req: IncomingMessage, res: ServerResponse, caller: Caller) => Promise<void>;
}

/** What 2025 clients do with their session besides making requests. */
export function createSessionEndpoint<Caller>(
  { host, report }: Wire<Caller>,
  { store, ownerOf }: SessionOptions<Caller>,
  streams: OpenStreams<{ windUp(): void }>,
): SessionEndpoint<Caller> {
  const calls = new Map<string, Call<Caller>>();
  const standalone = new Map<string, EventStream>();

  async function find(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<Session | undefined> {
    const session_id = req.headers['mcp-session-id'];
    const known = typeof session_id === 'string' ? await store.find(ownerOf(caller), session_id) : undefined;
    if (known === undefined) {
      const missing = session_id === undefined;
      const message = missing ? 'The Mcp-Session-Id header is missing.' : 'Session not found. Initialize again.';
      writeJson(res, missing ? 400 : 404, errorText(undefined, INVALID_REQUEST, message));
    }
    return known;
  }

  async function receive({ session_id }: Session, message: RpcNotification | RpcResponse): Promise<void> {
    if (message.kind === 'response') {
      await store.settle(session_id, message.id, { result: message.result, error: message.error });
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

  async function stream(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void> {
    if (!req.headers.accept?.includes('text/event-stream')) {
      return writeJson(res, 406, errorText(undefined, INVALID_REQUEST, 'Accept text/event-stream.'));
    }
    const session = await find(req, res, caller);
    if (session === undefined) return;

    const resumed = req.headers['last-event-id'];
    const from = typeof resumed === 'string' ? { after: resumed } : { stream_id: STANDALONE };
    let events: EventStream | undefined;
    const unfollow = store.follow(session.session_id, from, (event) => {
      events ??= new EventStream(res, undefined);
      events.write(event.message, event.event_id);
      if (event.last) events.end();
    });
    if (unfollow === undefined) {
      return writeJson(res, 400, errorText(undefined, INVALID_REQUEST, 'Unknown Last-Event-ID.'));
    }
    events ??= new EventStream(res, undefined);
    keepOpen(session, caller, { res, events, unfollow, alone: resumed === undefined });
  }

  interface OpenedStream {
    readonly res: ServerResponse;
    readonly events: EventStream;
    readonly unfollow: () => void;
    readonly alone: boolean;
  }

  function keepOpen({ session_id, owner }: Session, caller: Caller, opened: OpenedStream): void {
    const { res, events, unfollow, alone } = opened;
    const tell = (change: Change) => tellSession(owner, session_id, change).catch(report);
    const unsubscribe = alone ? host.changes?.subscribe(caller, tell) : undefined;
    streams.add(events, { windUp: () => events.end() }, res);
    if (alone) {
      // A client that comes back before its old connection is known to be dead would be told everything twice.
      standalone.get(session_id)?.end();
      standalone.set(session_id, events);
    }
    res.once('close', () => {
      unfollow();
      unsubscribe?.();
      if (standalone.get(session_id) === events) standalone.delete(session_id);
    });
  }

  async function tellSession(owner: string, session_id: string, change: Change): Promise<void> {
    const session = await store.find(owner, session_id);
    if (session === undefined) return;
    if (change.kind === 'resource' && !session.subscriptions.includes(change.uri)) return;
    const { method, params } = changeNotification(change);
    await store.append(session_id, STANDALONE, { message: notificationText(method, params), last: false });
  }

  async function end(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void> {
    const session = await find(req, res, caller);
    if (session === undefined) return;
    await store.end(session.session_id);
    standalone.get(session.session_id)?.end();
    res.writeHead(204).end();
  }

  return { find, receive, track, stream, end };
}

const keyOf = (session_id: string, id: RpcId | unknown): string => `${session_id} ${JSON.stringify(id)}`;
