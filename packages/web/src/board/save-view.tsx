import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';

const MAX_NAME = 40;
const FORM = 'save-view';

interface SaveViewProps {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name under which a view is kept. Loaded when it is opened. */
export function SaveView({ onSave, onClose }: SaveViewProps) {
  const [name, setName] = useState('');

  function save(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Save this view"
      foot={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          <Button kind="primary" type="submit" form={FORM}>
            Save the view
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={save}>
        <Field label="Name" hint="It is kept in this browser. The address of the page shows the same to anyone.">
          <Input value={name} required maxLength={MAX_NAME} onChange={({ target }) => setName(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
