import { type KeyboardEvent, useState } from 'react';
import { type NewComment, useComment } from '../../api/attempt-acts.ts';
import { reasonOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/textarea.tsx';

interface CommentBoxProps {
  readonly attempt: string;
  readonly place: Omit<NewComment, 'text'>;
  readonly onClose: () => void;
}

/**
 * Writes a comment on a line (10,000 characters): ⌘↵ adds it, Esc leaves it. It is kept as a draft until the review is
 * sent.
 */
export function CommentBox({ attempt, place, onClose }: CommentBoxProps) {
  const comment = useComment(attempt);
  const [text, setText] = useState('');
  const send = () => {
    if (text.trim() !== '' && !comment.isPending)
      comment.mutate({ ...place, text: text.trim() }, { onSuccess: onClose });
  };
  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      // The review below would be sent as well.
      event.preventDefault();
      send();
    }
  }
  return (
    <div className="thread comment-box">
      <Field
        label={`Comment on line ${place.line}`}
        error={comment.error === null ? undefined : reasonOf(comment.error)}
        hint="It is sent with the review."
      >
        <Textarea
          autoFocus
          rows={3}
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
      </Field>
      <div className="comment-acts">
        <Button size="small" kind="plain" onClick={onClose}>
          Cancel
        </Button>
        <Button size="small" keys="mod+enter" busy={comment.isPending ? 'Adding…' : false} onClick={send}>
          Add comment
        </Button>
      </div>
    </div>
  );
}
