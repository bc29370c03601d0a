import { createOpenQuestions, type SessionNews } from '#rev-2025/session-news';
import { createTaskNews, type TaskNews } from '#rev-2025/task-news';
import type { Session, SessionStore } from '#sessions';
import { ownerOf as taskOwnerOf } from '#task-requestor';
import { TASKS_VERSION } from '#versions';
import type { Wire } from '#wire';

/** How soon a task that another process made is found. */
const LOOK_EVERY_MS = 1_000;

/** A session with a standalone stream in this process. */
interface Told {
  readonly news: TaskNews;
  /** Of the tasks made in it; those that are known of here. */
  made: number;
}

export interface ToldSessions<Caller> {
  /** Tells the standalone stream of the tasks made in the session; returns the way to stop, or nothing without tasks. */
  readonly begin: (session: Session, caller: Caller, send: (message: string) => void) => (() => void) | undefined;
  /** Null without tasks. */
  readonly newsOf: (session: Session) => SessionNews | null;
}

/** Tells the sessions that have their stream in this process of their tasks, wherever these are made. */
export function createToldSessions<Caller>(
  { host, report }: Wire<Caller>,
  store: SessionStore<Caller>,
  endStream: (session_id: string) => void,
): ToldSessions<Caller> {
  const told = new Map<string, Told>();
  const questions = createOpenQuestions({ claims: store, report });
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const made = await store.tasksMade([...told.keys()]);
      for (const [session_id, session] of told) {
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
    told.get(session_id)?.news.close();
    const own: Told = { news, made: -1 };
    told.set(session_id, own);
    looking ??= setInterval(() => void look(), LOOK_EVERY_MS).unref();
    void look();
    return () => {
      news.close();
      if (told.get(session_id) === own) told.delete(session_id);
      if (told.size > 0) return;
      clearInterval(looking);
      looking = undefined;
    };
  }

  const newsOf = ({ session_id }: Session): SessionNews | null =>
    host.tasks === undefined
      ? null
      : {
          tells: (task_id) => told.get(session_id)?.news.tells(task_id) ?? false,
          announce: (task_id) => {
            const here = told.get(session_id);
            here?.news.expect(task_id);
            if (here !== undefined) here.made += 1;
            store.announceTask(session_id).catch(report);
          },
          meet: (task_id) => told.get(session_id)?.news.meet(task_id),
          openAsker: () => questions.openAsker(session_id),
        };

  return { begin, newsOf };
}
