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
import { createOpenQuestions, type SessionNews } from './rev-2025/session-news.ts';
import { createTaskNews, type TaskNews } from './rev-2025/task-news.ts';
import type { Session, SessionStore } from './sessions.ts';
import { ownerOf as taskOwnerOf } from './task-requestor.ts';
import { TASKS_VERSION } from './versions.ts';
import type { Wire } from './wire.ts';

/** The stream of what belongs to no request. */
const STANDALONE = 'standalone';

/** No client reads this one: it tells the process that has the standalone stream which tasks are made elsewhere. */
const NEW_TASKS = 'new-tasks';

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
  /** Null without tasks. */
  readonly newsOf: (session: Session) => SessionNews | null;
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
  const questions = createOpenQuestions();
  const news = new Map<string, TaskNews>();

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
    const following = store.follow(session.session_id, from, (event) => {
      events ??= new EventStream(res, undefined);
      events.write(event.message, event.event_id);
      if (event.last) events.end();
    });
    if (following === undefined) {
      return writeJson(res, 400, errorText(undefined, INVALID_REQUEST, 'Unknown Last-Event-ID.'));
    }
    events ??= new EventStream(res, undefined);
    keepOpen(session, caller, { res, events, ...following });
  }

  interface OpenedStream {
    readonly res: ServerResponse;
    readonly events: EventStream;
    readonly stop: () => void;
    readonly stream_id: string;
  }

  function keepOpen(session: Session, caller: Caller, opened: OpenedStream): void {
    const { session_id, owner } = session;
    const { res, events, stop } = opened;
    const alone = opened.stream_id === STANDALONE;
    const tell = (change: Change) => tellSession(owner, session_id, change).catch(report);
    const unsubscribe = alone ? host.changes?.subscribe(caller, tell) : undefined;
    streams.add(events, { windUp: () => events.end() }, res);
    if (alone) {
      // A client that comes back before its old connection is known to be dead would be told everything twice.
      standalone.get(session_id)?.end();
      standalone.set(session_id, events);
    }
    const silence = alone ? tellOfTasks(session, caller) : undefined;
    res.once('close', () => {
      stop();
      unsubscribe?.();
      silence?.();
      if (standalone.get(session_id) === events) standalone.delete(session_id);
    });
  }

  /** Tells the standalone stream of the tasks made in the session; returns the way to stop. */
  function tellOfTasks(session: Session, caller: Caller): (() => void) | undefined {
    const { session_id, protocol_version } = session;
    const owner_id = host.tasks && protocol_version === TASKS_VERSION ? taskOwnerOf(host.tasks, caller, session) : null;
    if (host.tasks === undefined || owner_id === null) return undefined;
    const told = createTaskNews({
      tasks: host.tasks.tasks,
      owner_id,
      session,
      asker: questions.openAsker(session_id),
      send: (message) => void store.append(session_id, STANDALONE, { message, last: false }).catch(report),
      report,
    });
    news.get(session_id)?.close();
    news.set(session_id, told);
    const following = store.follow(session_id, { stream_id: NEW_TASKS }, ({ message }) => told.expect(message));
    told.followUnfinished().catch(report);
    return () => {
      told.close();
      following?.stop();
      if (news.get(session_id) === told) news.delete(session_id);
    };
  }

  const newsOf = ({ session_id }: Session): SessionNews | null =>
    host.tasks === undefined
      ? null
      : {
          tells: (task_id) => news.get(session_id)?.tells(task_id) ?? false,
          announce: (task_id) =>
            void store.append(session_id, NEW_TASKS, { message: task_id, last: false }).catch(report),
          meet: (task_id) => news.get(session_id)?.meet(task_id),
          openAsker: () => questions.openAsker(session_id),
        };

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
    news.get(session.session_id)?.close();
    await store.end(session.session_id);
    standalone.get(session.session_id)?.end();
    res.writeHead(204).end();
  }

  return { find, receive, track, newsOf, stream, end };
}

const keyOf = (session_id: string, id: RpcId | unknown): string => `${session_id} ${JSON.stringify(id)}`;
