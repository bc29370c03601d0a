import { useState } from 'react';
import { usePullRequest } from '../api/attempt-acts.ts';
import type { Attempt } from '../api/attempts.ts';
import { reasonOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useToasts } from '../ui/toast.tsx';
import './dialogs.css';

interface PullRequestDialogProps {
  readonly attempt: Attempt;
  readonly onClose: () => void;
}

/**
 * Opens a pull request for the branch of an attempt, one for each repository with changes. The title of the task is
 * filled in beforehand (at most 255 characters); without a description the last words of the agent are sent.
 */
export function PullRequestDialog({ attempt, onClose }: PullRequestDialogProps) {
  const toasts = useToasts();
  const open = usePullRequest(attempt.attempt_id);
  const [title, setTitle] = useState(attempt.task.title);
  const [body, setBody] = useState('');
  const [draft, setDraft] = useState(false);
  const refused = open.data?.status === 'refused' ? (open.data.reason ?? 'The server refused.') : undefined;

  const send = () =>
    open.mutate(
      {
        ...(title.trim() !== '' && { title: title.trim() }),
        ...(body.trim() !== '' && { body: body.trim() }),
        ...(draft && { draft }),
      },
      {
        onSuccess: ({ status }) => {
          if (status !== 'opened') return;
          toasts.show({ text: 'Opened the pull request' });
          onClose();
        },
      },
    );

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Open pull request"
      foot={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          <Button kind="primary" busy={open.isPending ? 'Opening…' : false} onClick={send}>
            Open pull request
          </Button>
        </>
      }
    >
      <div className="att-form">
        <Field label="Title" error={open.error === null ? refused : reasonOf(open.error)}>
          <Input value={title} maxLength={255} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <Field label="Description" hint="The last words of the agent unless you write something.">
          <Textarea value={body} rows={5} onChange={(event) => setBody(event.target.value)} />
        </Field>
        <span className="att-check">
          <Checkbox checked={draft} onChange={setDraft} label="Draft" />
          Draft
        </span>
      </div>
    </Dialog>
  );
}
