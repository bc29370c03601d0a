import { type AdminListReposAnswer, adminUpdateRepo } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { Form } from './form.tsx';
import { errorOf, useChange } from './use-change.ts';

export type Repo = AdminListReposAnswer['repos'][number];

interface RepoDialogProps {
  readonly repo: Repo;
  readonly onClose: () => void;
}

/**
 * The branch that work is merged into, and the setup script (10,000 characters) that runs in the folder of every new
 * attempt before its agent.
 */
export function RepoDialog({ repo, onClose }: RepoDialogProps) {
  const save = useChange({
    inPlace: true,
    send: (body: { readonly target_branch: string; readonly setup_script: string }) =>
      answerOf(adminUpdateRepo(repo.repo_id, body)),
    said: () => `Saved ${repo.name}`,
    onDone: onClose,
  });
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())} title={repo.name}>
      <Form
        verb="Save the repository"
        busy={save.isPending}
        onSend={(value) => save.mutate({ target_branch: value('branch'), setup_script: value('script') })}
      >
        <Field label="Branch that work is merged into" error={errorOf(save)}>
          <Input name="branch" defaultValue={repo.target_branch} required maxLength={200} />
        </Field>
        <Field label="Setup script" hint="Runs in the folder of every new attempt before the agent starts, as npm ci.">
          <Textarea name="script" className="mono" defaultValue={repo.setup_script ?? ''} rows={5} maxLength={10_000} />
        </Field>
      </Form>
    </Dialog>
  );
}
