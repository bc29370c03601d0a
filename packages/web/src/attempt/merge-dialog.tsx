import { useQuery } from '@tanstack/react-query';
import type { MergeAttemptAnswer } from 'errand/client';
import { useState } from 'react';
import { useMerge } from '../api/attempt-acts.ts';
import type { Attempt } from '../api/attempts.ts';
import { meQuery, projectKeyOf } from '../api/me.ts';
import { projectQuery } from '../api/project-settings.ts';
import { plural } from '../text/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useToasts } from '../ui/toast.tsx';
import { openComments } from './can.ts';
import { ShipResult } from './ship-result.tsx';
import './dialogs.css';

const MODES = [
  { value: 'project', label: 'As the project says' },
  { value: 'merge', label: 'Merge' },
  { value: 'squash', label: 'Squash' },
  { value: 'rebase', label: 'Rebase' },
] as const;

interface MergeDialogProps {
  readonly attempt: Attempt;
  readonly onClose: () => void;
}

/**
 * The dialog that merges an attempt: merge, squash or rebase, the commit message, a warning for red checks and open
 * review comments, and conflicts handed to the agent.
 */
export function MergeDialog({ attempt, onClose }: MergeDialogProps) {
  const toasts = useToasts();
  const merge = useMerge(attempt.attempt_id);
  const [mode, setMode] = useState<(typeof MODES)[number]['value']>('project');
  const [message, setMessage] = useState('');
  const { data: me } = useQuery(meQuery);
  const key = projectKeyOf(attempt.task.key);
  // Only admins may read the settings of a project.
  const mayRead = key !== undefined && me?.scopes.includes('admin') === true;
  const { data: project } = useQuery({ ...projectQuery(key ?? ''), enabled: mayRead });
  const usual = MODES.find(({ value }) => value === project?.merge_mode)?.label;
  const options = MODES.map(({ value, label }) =>
    value === 'project' && usual !== undefined ? { value, label: `${label}: ${usual}` } : { value, label },
  );
  const hasConflicts = merge.data?.status === 'conflicts';
  const open = openComments(attempt);
  const targets = [...new Set(attempt.repos.map(({ target_branch }) => target_branch))];

  function done(answer: MergeAttemptAnswer): void {
    if (answer.status === 'merged') toasts.show({ text: `Merged into ${targets.join(', ')}` });
    else if (answer.follow_up_id === undefined) return;
    else toasts.show({ text: 'The agent resolves the conflicts' });
    onClose();
  }

  const send = (resolve: boolean) =>
    merge.mutate(
      {
        ...(mode !== 'project' && { mode }),
        ...(message.trim() !== '' && { message: message.trim() }),
        ...(resolve && { resolve }),
      },
      { onSuccess: done },
    );

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Merge into ${targets.join(', ')}`}
      testId="merge-dialog"
      foot={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          {hasConflicts ? (
            <Button busy={merge.isPending ? 'Sending…' : false} onClick={() => send(true)}>
              Have the agent resolve them
            </Button>
          ) : null}
          <Button kind="primary" busy={merge.isPending ? 'Merging…' : false} onClick={() => send(false)}>
            {hasConflicts ? 'Try again' : 'Merge'}
          </Button>
        </>
      }
    >
      <div className="att-form">
        {attempt.verdict === 'red' ? (
          <Badge tone="fail" icon="x">
            The checks of this attempt failed
          </Badge>
        ) : null}
        {open === 0 ? null : (
          <Badge tone="you" icon="alert">
            {plural(open, 'review comment is', 'review comments are')} open
          </Badge>
        )}
        <div className="field">
          <span className="fieldtop">How</span>
          <Choice label="How" value={mode} options={options} onChange={setMode} />
        </div>
        <Field label="Commit message" hint="The usual one of the project unless you write one.">
          <Textarea value={message} rows={3} onChange={(event) => setMessage(event.target.value)} />
        </Field>
        <ShipResult answer={merge.data} error={merge.error} />
      </div>
    </Dialog>
  );
}
