import { type FormEvent, useState } from 'react';
import { useTell } from '../api/attempt-acts.ts';
import { reasonOf } from '../api/client.ts';
import { useKeys } from '../keys/bindings.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useToasts } from '../ui/toast.tsx';
import './dialogs.css';

interface FollowUpDialogProps {
  readonly attempt: string;
  readonly agent: string;
  readonly isRunning: boolean;
  readonly onClose: () => void;
}

/** The dialog “Follow up”: what the agent should do next, sent now or queued, and when it arrives. */
export function FollowUpDialog({ attempt, agent, isRunning, onClose }: FollowUpDialogProps) {
  const toasts = useToasts();
  const tell = useTell(attempt);
  const [text, setText] = useState('');
  const [when, setWhen] = useState<'now' | 'later'>('now');

  function send(event?: FormEvent): void {
    event?.preventDefault();
    const words = text.trim();
    if (words === '' || tell.isPending) return;
    tell.mutate(
      { text: words, when, isRunning },
      {
        onSuccess: () => {
          toasts.show({ text: when === 'now' ? `Sent to ${agent}` : `Queued for ${agent}` });
          onClose();
        },
      },
    );
  }
  useKeys({ 'mod+enter': { run: () => send() } });

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Follow up" testId="follow-up">
      <form className="att-form" onSubmit={send}>
        <Field
          label={`What should ${agent} do?`}
          error={tell.error === null ? undefined : reasonOf(tell.error)}
          hint={
            isRunning && when === 'now'
              ? 'The agent reads it with its next tool call.'
              : isRunning
                ? 'It becomes the next run, when this one has ended.'
                : 'It starts the next run of this attempt.'
          }
        >
          <Textarea
            value={text}
            rows={5}
            maxLength={10_000}
            required
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div className="att-form-foot">
          {isRunning ? (
            <Choice
              label="When"
              value={when}
              options={[
                { value: 'now', label: 'Send now', icon: 'send' },
                { value: 'later', label: 'Queue', icon: 'queue' },
              ]}
              onChange={setWhen}
            />
          ) : null}
          <span className="grow" />
          <Button kind="primary" type="submit" keys="mod+enter" busy={tell.isPending ? 'Sending…' : false}>
            {when === 'now' ? 'Send' : 'Queue'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
