import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef } from 'react';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import './dialog.css';

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  /** Between the title and ×, as the steps of a longer dialog. */
  readonly head?: ReactNode;
  /** 920 wide instead of 520. */
  readonly wide?: boolean | undefined;
  /** At the right of the content, as what the choice leads to. */
  readonly side?: ReactNode;
  /** Buttons, the main one last. */
  readonly foot?: ReactNode;
  /** What takes the focus first; otherwise the field that the dialog begins with, or the dialog itself. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
  readonly testId?: string | undefined;
  readonly children: ReactNode;
}

const CONTROL = '.dlg-main :is(input, textarea, button, [role=checkbox])';
const FIELD = 'input:not([type=checkbox]), textarea';

/** A dialog over the page; the whole screen on a phone. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, head, wide, side, foot, initialFocus, testId, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  // Who types at once must not type into the × of the dialog, nor close its tooltip by Escape instead of the dialog. On a
  // phone, the keyboard for a field would cover half of the dialog.
  const begin = (how: string) => {
    const first = popup.current?.querySelector<HTMLElement>(CONTROL);
    return how !== 'touch' && first?.matches(FIELD) ? first : popup.current;
  };
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Viewport className="dlg-at">
          <Base.Popup
            className={classes('dialog', wide && 'wide')}
            data-testid={testId}
            ref={popup}
            initialFocus={initialFocus ?? begin}
          >
            <header className="dlg-head">
              <Base.Title>{title}</Base.Title>
              {head}
              <Base.Close render={<IconButton icon="x" label="Close" keys="esc" />} />
            </header>
            <div className={classes('dlg-body', side !== undefined && 'with-side')}>
              <div className="dlg-main">{children}</div>
              {side === undefined ? null : (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and by keys only while it has the focus.
                <aside className="dlg-side" tabIndex={0}>
                  {side}
                </aside>
              )}
            </div>
            {foot === undefined ? null : <footer className="dlg-foot">{foot}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** Closes the dialog around it: render it as a Button. */
export const DialogClose = Base.Close;
