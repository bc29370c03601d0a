import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogClose } from './dialog.tsx';

export interface ConfirmProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The question, as “Revoke the token of atlas?” */
  readonly title: string;
  /** The verb of the title, on the button that does it. */
  readonly verb: string;
  readonly onConfirm: () => void;
  /** The word while it is under way. */
  readonly busy?: string | false | undefined;
  /** True for an action that cannot be undone. */
  readonly danger?: boolean | undefined;
  /** What happens then. */
  readonly children: ReactNode;
}

/** Asks before what cannot be undone. What can be undone is done, with Undo in a toast. */
export function Confirm({ open, onOpenChange, title, verb, onConfirm, busy, danger, children }: ConfirmProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      foot={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          <Button kind={danger ? 'danger-solid' : 'primary'} busy={busy} onClick={onConfirm}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
