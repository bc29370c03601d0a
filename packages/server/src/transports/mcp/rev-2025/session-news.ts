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
  /** Sends the question, unless it is out on a stream that is still open. */
  readonly ask: (question_id: string, send: () => void) => void;
  /** The stream is over: what was asked on it may not have arrived, and can be asked on the next one. */
  readonly close: () => void;
}

/** The questions that are out on open streams: the client's user must not see one of them twice. */
export function createOpenQuestions(): { readonly openAsker: (session_id: string) => Asker } {
  const out = new Set<string>();

  return {
    openAsker: (session_id) => {
      const own = new Set<string>();
      return {
        ask: (question_id, send) => {
          const key = `${session_id} ${question_id}`;
          if (out.has(key)) return;
          out.add(key);
          own.add(key);
          send();
        },
        close: () => {
          for (const key of own) out.delete(key);
          own.clear();
        },
      };
    },
  };
}
