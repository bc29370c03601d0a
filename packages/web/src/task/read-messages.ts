import { useEffect, useRef, useState } from 'react';
import type { Attempt } from '../api/task.ts';

export interface ReadMessage {
  readonly message_id: string;
  readonly text: string;
  readonly at: number;
}

const MAX_SHOWN = 3;

const waiting = (talk: Attempt): ReadonlyMap<string, string> =>
  new Map(talk.messages.filter(({ source }) => source === 'person').map(({ message_id, text }) => [message_id, text]));

/** Messages that the agent has read while the task was open: the server lists only unread ones. */
export function useReadMessages(talk: Attempt | undefined): readonly ReadMessage[] {
  const known = useRef<{ readonly attempt_id: string; readonly unread: ReadonlyMap<string, string> } | null>(null);
  const [read, setRead] = useState<readonly ReadMessage[]>([]);
  useEffect(() => {
    if (talk === undefined) return;
    const before = known.current;
    const unread = waiting(talk);
    known.current = { attempt_id: talk.attempt_id, unread };
    if (before === null || before.attempt_id !== talk.attempt_id) return;
    // A run that was stopped takes its messages back: they were not read.
    if (talk.run?.status !== 'running' && talk.run?.status !== 'completed') return;
    const gone = [...before.unread].filter(([message_id]) => !unread.has(message_id));
    if (gone.length === 0) return;
    const at = Date.now();
    setRead((earlier) =>
      [...earlier, ...gone.map(([message_id, text]) => ({ message_id, text, at }))].slice(-MAX_SHOWN),
    );
  }, [talk]);
  return read;
}
