import type { Tasks } from '#tasks';

const MOST = 10_000;

/**
 * Which questions are on their way to which client. A client that sees `input_required` should ask for the result, and
 * is asked there; one that only goes on polling is asked by its second poll.
 */
function createPolls() {
  const seen = new Map<string, 'once' | 'asked'>();
  const followed = new Map<string, number>();

  return {
    /** Whether this poll is to ask. */
    see: (session_id: string, question_id: string): boolean => {
      const key = `${session_id} ${question_id}`;
      const isSecond = seen.get(key) === 'once';
      const [oldest] = seen.size >= MOST ? seen.keys() : [];
      if (oldest !== undefined) seen.delete(oldest);
      seen.set(key, seen.has(key) ? 'asked' : 'once');
      return isSecond;
    },
    isFollowed: (task_id: string): boolean => followed.has(task_id),
    /** While somebody waits for the result of a task. */
    follow: async <Answer>(task_id: string, waiting: () => Promise<Answer>): Promise<Answer> => {
      followed.set(task_id, (followed.get(task_id) ?? 0) + 1);
      try {
        return await waiting();
      } finally {
        const left = (followed.get(task_id) ?? 1) - 1;
        if (left > 0) followed.set(task_id, left);
        else followed.delete(task_id);
      }
    },
  };
}

export type Polls = ReturnType<typeof createPolls>;

const known = new WeakMap<Tasks, Polls>();

/** One for all servers of the same tasks, since without sessions in memory each request has a server of its own. */
export function pollsOf(tasks: Tasks): Polls {
  const polls = known.get(tasks) ?? createPolls();
  known.set(tasks, polls);
  return polls;
}
