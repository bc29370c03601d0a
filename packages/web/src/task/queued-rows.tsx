import { useMutation, useQueryClient } from '@tanstack/react-query';
import { followUp } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import type { Attempt } from '../api/task.ts';
import { clock } from '../text/time.ts';
import { Icon } from '../ui/icon.tsx';
import { useToasts } from '../ui/toast.tsx';
import { useReadMessages } from './read-messages.ts';

interface QueuedRowsProps {
  readonly talk: Attempt;
  /** Puts the words of a follow-up back into the box. */
  readonly onEdit: (text: string) => void;
}

const MESSAGE_WORDS = { queued: 'Queued', delivered: 'Delivered', read: 'Read', cancelled: 'Cancelled' } as const;

/** What was said to the agent and waits: queued, delivered, read at. A queued follow-up can be edited or cancelled. */
export function QueuedRows({ talk, onEdit }: QueuedRowsProps) {
  const read = useReadMessages(talk);
  const client = useQueryClient();
  const toasts = useToasts();
  const cancel = useMutation({
    mutationFn: (queued_id: string) => answerOf(followUp({ attempt_id: talk.attempt_id, action: 'cancel', queued_id })),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['attempt'] }),
  });
  return (
    <>
      {read.map(({ message_id, text, at }) => (
        <p className="queued" key={message_id}>
          <Icon name="check" className="g done" />
          <b>Read {clock(at)}</b>
          <span>{text}</span>
        </p>
      ))}
      {talk.messages
        .filter(({ source, status }) => source === 'person' && (status === 'queued' || status === 'delivered'))
        .map(({ message_id, text, status }) => (
          <p className="queued" key={message_id}>
            <Icon name={status === 'delivered' ? 'check' : 'send'} />
            <b>{MESSAGE_WORDS[status]}</b>
            <span>{text}</span>
          </p>
        ))}
      {talk.queue.map(({ queued_id, prompt }) => (
        <p className="queued" key={queued_id}>
          <Icon name="queue" />
          <b>Queued</b>
          <span>{prompt}</span>
          <button
            className="link"
            type="button"
            onClick={() => cancel.mutate(queued_id, { onSuccess: () => onEdit(prompt) })}
          >
            Edit
          </button>
          <button className="link" type="button" onClick={() => cancel.mutate(queued_id)}>
            Cancel
          </button>
        </p>
      ))}
    </>
  );
}
