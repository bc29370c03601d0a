import { useNavigate } from '@tanstack/react-router';
import { adminRemoveProject } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import type { ProjectSettings } from '../api/project-settings.ts';
import { plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface ProjectRemoveProps {
  readonly project: ProjectSettings;
}

/**
 * Removes the project with its tasks, states and labels. Its key is typed first, because nothing brings it back. One in
 * which agents have worked stays.
 */
export function ProjectRemove({ project: { project_id, name, key } }: ProjectRemoveProps) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = useChange({
    inPlace: true,
    send: () => answerOf(adminRemoveProject(project_id, { yes: true })),
    said: (_, { removed_tasks }) => `Removed ${name} and ${plural(removed_tasks, 'task')}`,
    onDone: () => void navigate({ to: '/settings' }),
  });
  const isSure = typed.trim().toUpperCase() === key;
  return (
    <Section title="Remove" about="A project in which agents have worked stays: the history of runs is kept.">
      <div className="set-send">
        <Button kind="danger" onClick={() => setAsking(true)}>
          Remove the project
        </Button>
      </div>
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={`Remove ${name}?`}
        verb={`Remove ${name}`}
        danger
        busy={remove.isPending ? 'Removing…' : false}
        onConfirm={() => (isSure ? remove.mutate(undefined) : undefined)}
      >
        <p>Its tasks, states and labels are deleted for good. Repositories keep their files.</p>
        <Field label={`Type ${key} to confirm`} error={errorOf(remove)}>
          <Input value={typed} onChange={({ target }) => setTyped(target.value)} autoComplete="off" />
        </Field>
      </Confirm>
    </Section>
  );
}
