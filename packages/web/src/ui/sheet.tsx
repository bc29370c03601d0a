import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import './sheet.css';

export interface SheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** On a phone: what the mouse would open beside the content comes up from the foot of the screen. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className="sheet-up">
          <Base.Close className="sheet-grip" aria-label="Close" />
          <Base.Title className="sheet-title">{title}</Base.Title>
          <div className="sheet-body">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
