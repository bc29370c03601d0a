import type { RebaseAttemptAnswer } from 'errand/client';
import { useRebase } from '../api/attempt-acts.ts';
import type { Attempt } from '../api/attempts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toast.tsx';
import { ShipResult } from './ship-result.tsx';
import './dialogs.css';

interface RebaseDialogProps {
  readonly attempt: Attempt;
  readonly onClose: () => void;
}

/**
 * Puts the branch of an attempt on the newest commit of its target; comments on lines go with it. Conflicts are listed,
 * and can be given to the agent.
 */
export function RebaseDialog({ attempt, onClose }: RebaseDialogProps) {
  const toasts = useToasts();
  const rebase = useRebase(attempt.attempt_id);
  const hasConflicts = rebase.data?.status === 'conflicts';

  function done(answer: RebaseAttemptAnswer): void {
    if (answer.status === 'merged') toasts.show({ text: 'The branch stands on its target now' });
    else if (answer.follow_up_id === undefined) return;
    else toasts.show({ text: 'The agent resolves the conflicts' });
    onClose();
  }

  const send = (resolve: boolean) => rebase.mutate(resolve ? { resolve } : {}, { onSuccess: done });
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Rebase the branch"
      foot={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          {hasConflicts ? <Button onClick={() => send(true)}>Have the agent resolve them</Button> : null}
          <Button kind="primary" busy={rebase.isPending ? 'Rebasing…' : false} onClick={() => send(false)}>
            {hasConflicts ? 'Try again' : 'Rebase'}
          </Button>
        </>
      }
    >
      <div className="att-form">
        <p>
          <span className="mono">{attempt.workspace_branch}</span> is put on the newest commit of{' '}
          <span className="mono">{attempt.repos.map(({ target_branch }) => target_branch).join(', ')}</span>. Comments
          on lines go with it.
        </p>
        <ShipResult answer={rebase.data} error={rebase.error} />
      </div>
    </Dialog>
  );
}
