import { randomUUID } from 'node:crypto';
import type { RpcId } from './json-rpc.ts';
import type { ClientAnswer, Session, SessionOptions, StreamEvent } from './sessions.ts';

const MAX_SESSIONS = 1_000;
const MAX_STREAMS = 100;
const MAX_EVENTS = 1_000;

interface Stream {
  readonly events: StreamEvent[];
  readonly followers: Set<(event: StreamEvent) => void>;
  count: number;
}

interface Question {
  readonly resolve: (answer: ClientAnswer) => void;
  readonly reject: (reason: Error) => void;
}

interface Kept<Caller> {
  session: Session;
  readonly caller: Caller;
  tasks_made: number;
  readonly streams: Map<string, Stream>;
  readonly questions: Map<RpcId, Question>;
}

/** Creates sessions in this process's memory, with their sent messages. The oldest is removed for a new one. */
export function createMemorySessions<Caller>(): Required<SessionOptions<Caller>> {
  const sessions = new Map<string, Kept<Caller>>();

  function kept(session_id: string): Kept<Caller> {
    const found = sessions.get(session_id);
    if (found === undefined) throw new Error('The session has ended.');
    return found;
  }

  function streamOf(session_id: string, stream_id: string): Stream {
    const { streams } = kept(session_id);
    const known = streams.get(stream_id);
    if (known !== undefined) return known;
    const stream: Stream = { events: [], followers: new Set(), count: 0 };
    if (streams.size >= MAX_STREAMS) dropOldest(streams);
    streams.set(stream_id, stream);
    return stream;
  }

  function end(session_id: string): void {
    for (const { reject } of sessions.get(session_id)?.questions.values() ?? [])
      reject(new Error('The session ended.'));
    sessions.delete(session_id);
  }

  const store: SessionOptions<Caller>['store'] = {
    open: async (caller, facts) => {
      const [oldest] = sessions.keys();
      if (sessions.size >= MAX_SESSIONS && oldest !== undefined) end(oldest);
      const session = { ...facts, session_id: randomUUID() };
      const kept = { session, caller, tasks_made: 0, streams: new Map(), questions: new Map() };
      sessions.set(session.session_id, kept);
      return session;
    },
    find: async (caller, session_id) => {
      const found = sessions.get(session_id);
      return found?.caller === caller ? found.session : undefined;
    },
    end: async (_caller, session_id) => end(session_id),
    announceTask: async (session_id) => {
      kept(session_id).tasks_made += 1;
    },
    tasksMade: async (session_ids) =>
      new Map(
        session_ids.flatMap((session_id) => {
          const found = sessions.get(session_id);
          return found === undefined ? [] : [[session_id, found.tasks_made] as const];
        }),
      ),
    // Always true: this process has all streams.
    claimQuestion: async () => true,
    renewQuestions: async () => undefined,
    releaseQuestion: async () => undefined,
  };

  const log: SessionOptions<Caller>['log'] = {
    change: async (session_id, change) => {
      const found = kept(session_id);
      found.session = { ...found.session, ...change };
    },
    append: async (session_id, stream_id, { message, last }) => {
      const stream = streamOf(session_id, stream_id);
      stream.count += 1;
      const event = { event_id: `${stream_id}_${stream.count}`, message, last };
      stream.events.push(event);
      if (stream.events.length > MAX_EVENTS) stream.events.shift();
      for (const deliver of stream.followers) deliver(event);
    },
    follow: (session_id, from, deliver) => {
      const stream_id = 'after' in from ? from.after.slice(0, from.after.lastIndexOf('_')) : from.stream_id;
      if ('after' in from && !kept(session_id).streams.has(stream_id)) return undefined;
      const stream = streamOf(session_id, stream_id);
      if ('after' in from) for (const event of eventsAfter(stream, from.after)) deliver(event);
      stream.followers.add(deliver);
      return { stream_id, stop: () => stream.followers.delete(deliver) };
    },
    expect: (session_id, request_id, signal) =>
      new Promise((resolve, reject) => {
        kept(session_id).questions.set(request_id, { resolve, reject });
        signal.addEventListener('abort', () => reject(new Error('Nobody waits for the answer any more.')), {
          once: true,
        });
      }),
    settle: async (session_id, request_id, answer) => {
      const { questions } = kept(session_id);
      questions.get(request_id)?.resolve(answer);
      return questions.delete(request_id);
    },
  };

  return { store, log, is_optional: false };
}

/** Removes the oldest stream that no client reads. */
function dropOldest(streams: Map<string, Stream>): void {
  for (const [stream_id, { followers }] of streams) {
    if (followers.size === 0) return void streams.delete(stream_id);
  }
}

function eventsAfter({ events }: Stream, event_id: string): readonly StreamEvent[] {
  return events.slice(events.findIndex((event) => event.event_id === event_id) + 1);
}
