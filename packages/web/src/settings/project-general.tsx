import { useNavigate } from '@tanstack/react-router';
import { adminUpdateProject } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { ProjectSettings } from '../api/project-settings.ts';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Form } from './form.tsx';
import { Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface ProjectPartProps {
  readonly project: ProjectSettings;
}

/** The name (100 characters) and the key (2 to 10 letters and digits) of a project. A former key still finds it. */
export function ProjectGeneral({ project }: ProjectPartProps) {
  const navigate = useNavigate();
  const save = useChange({
    inPlace: true,
    send: (body: { readonly name: string; readonly key: string }) =>
      answerOf(adminUpdateProject(project.project_id, body)),
    said: () => 'Saved the project',
    onDone: ({ key }) => {
      if (key !== null && key !== project.key)
        void navigate({ to: '/p/$key/settings', params: { key }, replace: true });
    },
  });
  return (
    <Section title="Project" about="A former key still finds the project and its tasks.">
      <Form
        key={`${project.name}/${project.key}`}
        verb="Save the project"
        busy={save.isPending}
        onSend={(value) => save.mutate({ name: value('name'), key: value('key') })}
      >
        <Field label="Name of the project" error={errorOf(save)}>
          <Input name="name" defaultValue={project.name} required maxLength={100} />
        </Field>
        <Field label="Key" hint="Begins the names of its tasks: 2 to 10 letters and digits.">
          <Input name="key" defaultValue={project.key ?? ''} required minLength={2} maxLength={10} />
        </Field>
      </Form>
    </Section>
  );
}
