import { useQuery } from '@tanstack/react-query';
import { adminAddLabel } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { labelsQuery, type ProjectSettings } from '../api/project-settings.ts';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { LabelTag } from '../ui/meta.tsx';
import { Form } from './form.tsx';
import { Loaded, Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface ProjectLabelsProps {
  readonly project: ProjectSettings;
}

/** The labels that tasks of the project can have. */
export function ProjectLabels({ project: { project_id } }: ProjectLabelsProps) {
  const query = useQuery(labelsQuery(project_id));
  const add = useChange({
    inPlace: true,
    send: (name: string) => answerOf(adminAddLabel(project_id, { name })),
    said: (name) => `Added ${name}`,
  });
  return (
    <Section title="Labels">
      <Loaded query={query} what="The labels">
        {(labels) =>
          labels.length === 0 ? (
            <p className="quiet">No label yet.</p>
          ) : (
            <p className="set-labels">
              {labels.map(({ label_id, name }) => (
                <LabelTag key={label_id} id={label_id} name={name} />
              ))}
            </p>
          )
        }
      </Loaded>
      <Form
        inline
        verb="Add the label"
        busy={add.isPending}
        onSend={(value, form) => add.mutate(value('label'), { onSuccess: () => form.reset() })}
      >
        <Field label="Add a label" error={errorOf(add)}>
          <Input name="label" required maxLength={50} placeholder="Name" />
        </Field>
      </Form>
    </Section>
  );
}
