import { createOpenQuestions, type SessionNews } from '#rev-2025/session-news';
import { createTaskNews, type TaskNews } from '#rev-2025/task-news';
import type { Session, SessionStore } from '#sessions';
import { ownerOf as taskOwnerOf } from '#task-requestor';
import { TASKS_VERSION } from '#versions';
import type { Wire } from '#wire';

/** How often the store is polled for tasks that other processes created. */
const LOOK_EVERY_MS = 1_000;

/** A session whose standalone stream is in this process. */
interface StreamedSession {
  readonly news: TaskNews;
  /** How many tasks of the session are known here. */
  made: number;
}

export interface SessionStreams<Caller> {
  /** Sends news of the session's tasks to its standalone stream; returns the function that stops it, or undefined without tasks. */
  readonly begin: (session: Session, caller: Caller, send: (message: string) => void) => (() => void) | undefined;
  /** Returns the news of a session; null when the host has no tasks. */
  readonly newsOf: (session: Session) => SessionNews | null;
}

/** Sends news of tasks to the sessions whose stream is in this process, also of tasks that another process made. */
export function createSessionStreams<Caller>(
  { host, report }: Wire<Caller>,
  store: SessionStore<Caller>,
  endStream: (session_id: string) => void,
): SessionStreams<Caller> {
  const streamed = new Map<string, StreamedSession>();
  const questions = createOpenQuestions({ claims: store, report });
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const made = await store.tasksMade([...streamed.keys()]);
      for (const [session_id, session] of streamed) {
        const count = made.get(session_id);
        if (count === undefined) endStream(session_id);
        else if (count !== session.made) {
          session.made = count;
          await session.news.followUnfinished();
        }
      }
    } catch (error) {
      report(error);
    } finally {
      isLooking = false;
    }
  }

  function begin(session: Session, caller: Caller, send: (message: string) => void): (() => void) | undefined {
    const { session_id, protocol_version } = session;
    const { tasks: part } = host;
    const owner_id = part && protocol_version === TASKS_VERSION ? taskOwnerOf(part, caller, session) : null;
    if (part === undefined || owner_id === null) return undefined;
    const asker = questions.openAsker(session_id);
    const news = createTaskNews({ tasks: part.tasksOf(caller), owner_id, session, asker, send, report });
    streamed.get(session_id)?.news.close();
    const own: StreamedSession = { news, made: -1 };
    streamed.set(session_id, own);
    looking ??= setInterval(() => void look(), LOOK_EVERY_MS).unref();
    void look();
    return () => {
      news.close();
      if (streamed.get(session_id) === own) streamed.delete(session_id);
      if (streamed.size > 0) return;
      clearInterval(looking);
      looking = undefined;
    };
  }

  const newsOf = ({ session_id }: Session): SessionNews | null =>
    host.tasks === undefined
      ? null
      : {
          tells: (task_id) => streamed.get(session_id)?.news.tells(task_id) ?? false,
          announce: (task_id) => {
            const here = streamed.get(session_id);
            here?.news.expect(task_id);
            if (here !== undefined) here.made += 1;
            store.announceTask(session_id).catch(report);
          },
          meet: (task_id) => streamed.get(session_id)?.news.meet(task_id),
          openAsker: () => questions.openAsker(session_id),
        };

  return { begin, newsOf };
}
