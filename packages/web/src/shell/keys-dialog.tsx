import { useListedKeys } from '../keys/bindings.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import './keys-dialog.css';

interface KeysDialogProps {
  readonly onClose: () => void;
}

/** The messages have it: in a text field the key belongs to what was typed. */
const UNDO = { stroke: 'mod+z', does: 'Take the last change back' };

/** The keys that work in this view. */
export function KeysDialog({ onClose }: KeysDialogProps) {
  const keys = useListedKeys();
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Keys for this view">
      <dl className="keys">
        {[...keys, UNDO].map(({ stroke, does }) => (
          <div key={stroke}>
            <dt>{does}</dt>
            <dd>
              <Kbd keys={stroke} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
