/** What a session is told of its tasks, whichever of its streams that happens on. */
export interface SessionNews {
  /** Whether some stream of the session tells of this task already. */
  readonly tells: (task_id: string) => boolean;
  /** A task was made in the session. */
  readonly announce: (task_id: string) => void;
  /** The client has named the task itself, so it knows of it. */
  readonly meet: (task_id: string) => void;
  /** A stream of the session that can put questions. */
  readonly openAsker: () => Asker;
}

/** One stream that puts questions. */
export interface Asker {
  /** Sends the question, unless it is out on a stream that is still open; then when that one closes first. */
  readonly ask: (question_id: string, send: () => void) => void;
  /** The question needs no answer any more. */
  readonly settle: (question_id: string) => void;
  /** The stream is over: what was asked on it may not have arrived, and is asked on another one. */
  readonly close: () => void;
}

/** The questions that are out on open streams: the client's user must not see one of them twice. */
export function createOpenQuestions(): { readonly openAsker: (session_id: string) => Asker } {
  /** Who could put each question; the first of them has. */
  const candidates = new Map<string, Map<symbol, () => void>>();

  function leave(key: string, own: symbol): void {
    const streams = candidates.get(key);
    const [first] = streams?.keys() ?? [];
    streams?.delete(own);
    if (streams?.size === 0) candidates.delete(key);
    if (first !== own) return;
    const [next] = streams?.values() ?? [];
    next?.();
  }

  return {
    openAsker: (session_id) => {
      const own = Symbol(session_id);
      const keys = new Set<string>();
      return {
        ask: (question_id, send) => {
          const key = `${session_id} ${question_id}`;
          const streams = candidates.get(key) ?? new Map<symbol, () => void>();
          const isFirst = streams.size === 0;
          candidates.set(key, streams.set(own, send));
          keys.add(key);
          if (isFirst) send();
        },
        settle: (question_id) => candidates.delete(`${session_id} ${question_id}`),
        close: () => {
          for (const key of keys) leave(key, own);
          keys.clear();
        },
      };
    },
  };
}
