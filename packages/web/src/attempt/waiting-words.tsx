import { useCancel } from '../api/attempt-acts.ts';
import type { Attempt } from '../api/attempts.ts';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/popover.tsx';
import './waiting-words.css';

const SAYS = { queued: 'Waits for its next call', delivered: 'Delivered, not read yet' } as const;

/** What was said to the agent and waits: how much there is, and on demand each of it with a way to take it back. */
export function WaitingWords({ attempt }: { readonly attempt: Attempt }) {
  const cancel = useCancel(attempt.attempt_id);
  const unread = attempt.messages.flatMap(({ message_id, source, status, text }) =>
    source === 'person' && (status === 'queued' || status === 'delivered') ? [{ message_id, status, text }] : [],
  );
  const waiting = unread.length + attempt.queue.length;
  if (waiting === 0) return null;
  return (
    <span>
      <Popover
        label="What waits for the agent"
        className="waits"
        trigger={
          <button className="waits-open" type="button">
            <Icon name="queue" />
            {waiting === 1 ? '1 message waits' : `${waiting} messages wait`}
          </button>
        }
      >
        <ul>
          {unread.map(({ message_id, status, text }) => (
            <li key={message_id}>
              <b>{SAYS[status]}</b>
              <span>{text}</span>
            </li>
          ))}
          {attempt.queue.map(({ queued_id, prompt }) => (
            <li key={queued_id}>
              <b>Queued</b>
              <span>{prompt}</span>
              <button className="link" type="button" onClick={() => cancel.mutate(queued_id)}>
                Cancel
              </button>
            </li>
          ))}
        </ul>
      </Popover>
    </span>
  );
}
