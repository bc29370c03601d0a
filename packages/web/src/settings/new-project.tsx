import { useNavigate } from '@tanstack/react-router';
import { adminAddProject } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Form } from './form.tsx';
import { errorOf, useChange } from './use-change.ts';
import './settings.css';

/**
 * The dialog that makes a project, and leads to its board. Without a key (at most 10 characters) one is made of its
 * name.
 */
export function NewProject({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const make = useChange({
    inPlace: true,
    send: (body: { readonly name: string; readonly key?: string }) => answerOf(adminAddProject(body)),
    said: ({ name }) => `Made the project ${name}`,
    onDone: ({ key }) => {
      onClose();
      void navigate({ to: `/p/${key}` });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="New project"
      testId="new-project-dialog"
    >
      <Form
        verb="Make the project"
        busy={make.isPending}
        onSend={(value) => {
          const key = value('key').trim();
          make.mutate({ name: value('name').trim(), ...(key !== '' && { key }) });
        }}
      >
        <Field label="Name" error={errorOf(make)}>
          <Input name="name" required maxLength={100} />
        </Field>
        <Field label="Key" hint="Begins the names of its tasks, as WEB-12. Made of the name unless you write one.">
          <Input name="key" maxLength={10} />
        </Field>
      </Form>
    </Dialog>
  );
}
