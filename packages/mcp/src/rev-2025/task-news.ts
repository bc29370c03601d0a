import { type ClientTasks, type JsonObject as Json, TaskError, type TaskRecord } from '@errand/tasks';
import { followTask, type Stream } from '@errand/tasks/2025-11-25';
import type { Report } from '#failures';
import { notificationText, requestText } from '#json-rpc';
import type { Session } from '#sessions';
import type { Asker } from './session-news.ts';

/** The key of a task's context that holds the id of its session. */
const SESSION_KEY = 'mcp_session_id';

/** How many tasks are searched. An owner has few unfinished tasks, and the newest come first: older ones have ended. */
const MAX_LOOKED_AT = 1_000;
const PAGE = 200;

/**
 * A client that gets a question before it knows the id of its new task takes the question for a mistake and declines
 * it. Answers and news travel on different connections, so a client that has not named the task yet is given this time.
 */
const UNTIL_KNOWN_MS = 1_000;

export const inSession = (context: Json | undefined, session: Session): Json => ({
  ...context,
  [SESSION_KEY]: session.session_id,
});

export interface NewsOptions {
  readonly tasks: ClientTasks;
  readonly owner_id: string;
  readonly session: Session;
  readonly asker: Asker;
  readonly send: (message: string) => void;
  readonly report: Report;
}

export interface TaskNews {
  readonly tells: (task_id: string) => boolean;
  /** A task was made: its news are sent as soon as the client can know the task. */
  readonly expect: (task_id: string) => void;
  /** Called when the client knows the task. */
  readonly meet: (task_id: string) => void;
  /** Follows the unfinished tasks of the session that started before there was a stream. */
  readonly followUnfinished: () => Promise<void>;
  readonly close: () => void;
}

/** Sends a client news of the tasks that it made in its session, while it has a stream. */
export function createTaskNews({ tasks, owner_id, session, asker, send, report }: NewsOptions): TaskNews {
  const expected = new Map<string, NodeJS.Timeout>();
  const followed = new Set<string>();
  const over = new AbortController();

  function follow(task_id: string): void {
    followed.add(task_id);
    const stream: Stream = {
      client_capabilities: session.client_capabilities as Json, // The value came as JSON.
      known_status: 'working',
      ask: ({ id, method, params }) => asker.ask(id, () => send(requestText(id, method, params))),
      settle: asker.settle,
      notify: ({ method, params }) => send(notificationText(method, params)),
      signal: over.signal,
    };
    followTask(tasks, owner_id, task_id, stream)
      .catch((error: unknown) => {
        const isExpired = error instanceof TaskError && error.code === 'not_found';
        if (!over.signal.aborted && !isExpired) report(error);
      })
      .finally(() => followed.delete(task_id));
  }

  function expect(task_id: string): void {
    if (expected.has(task_id) || followed.has(task_id) || over.signal.aborted) return;
    expected.set(task_id, setTimeout(() => meet(task_id), UNTIL_KNOWN_MS).unref());
  }

  function meet(task_id: string): void {
    const waiting = expected.get(task_id);
    if (waiting === undefined) return;
    clearTimeout(waiting);
    expected.delete(task_id);
    follow(task_id);
  }

  async function followUnfinished(): Promise<void> {
    let cursor: string | undefined;
    for (let seen = 0; seen < MAX_LOOKED_AT; seen += PAGE) {
      const page = await tasks.list(owner_id, { limit: PAGE, ...(cursor !== undefined && { cursor }) });
      for (const task of page.tasks) if (isOpenIn(task, session)) expect(task.task_id);
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  return {
    tells: (task_id) => followed.has(task_id),
    expect,
    meet,
    followUnfinished,
    close: () => {
      over.abort();
      for (const waiting of expected.values()) clearTimeout(waiting);
      expected.clear();
      asker.close();
    },
  };
}

const isOpenIn = ({ outcome, context }: TaskRecord, { session_id }: Session): boolean =>
  outcome === null && context[SESSION_KEY] === session_id;
