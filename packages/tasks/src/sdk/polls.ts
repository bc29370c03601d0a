import type { Tasks } from '#tasks';

const MAX_POLLS = 10_000;

/**
 * Remembers which questions each client was sent. A client that sees `input_required` should call `tasks/result`, and
 * gets the question there. A client that only polls gets the question with its second poll.
 */
function createPolls() {
  const seen = new Map<string, 'once' | 'asked'>();
  const followed = new Map<string, number>();

  return {
    /** Records a poll. Returns true when this poll has to carry the question. */
    see: (session_id: string, question_id: string): boolean => {
      const key = `${session_id} ${question_id}`;
      const isSecond = seen.get(key) === 'once';
      const [oldest] = seen.size >= MAX_POLLS ? seen.keys() : [];
      if (oldest !== undefined) seen.delete(oldest);
      seen.set(key, seen.has(key) ? 'asked' : 'once');
      return isSecond;
    },
    isFollowed: (task_id: string): boolean => followed.has(task_id),
    /** Marks the task as followed while a client waits for its result. */
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

/** Returns one object for all servers of the same tasks: without sessions in memory each request has its own server. */
export function pollsOf(tasks: Tasks): Polls {
  const polls = known.get(tasks) ?? createPolls();
  known.set(tasks, polls);
  return polls;
}
