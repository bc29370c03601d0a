import { useQuery } from '@tanstack/react-query';
import { adminAddLabel, adminRemoveLabel, adminUpdateLabel } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { labelsQuery, type ProjectSettings } from '../api/project-settings.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { LabelTag } from '../ui/meta.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { Form } from './form.tsx';
import { PartName } from './part-name.tsx';
import { Loaded, Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface ProjectLabelsProps {
  readonly project: ProjectSettings;
}

/**
 * The labels that tasks of the project can have are added (50 characters), renamed and, after a question, removed: the
 * tasks that have one lose it.
 */
export function ProjectLabels({ project: { project_id } }: ProjectLabelsProps) {
  const query = useQuery(labelsQuery(project_id));
  const add = useChange({
    inPlace: true,
    send: (name: string) => answerOf(adminAddLabel(project_id, { name })),
    said: (name) => `Added ${name}`,
  });
  const rename = useChange({
    send: ({ label_id, name }: { readonly label_id: string; readonly name: string }) =>
      answerOf(adminUpdateLabel(project_id, label_id, { name })),
    said: (_, { name }) => `Renamed it to ${name}`,
  });
  const [removed, setRemoved] = useState<{ readonly label_id: string; readonly name: string } | null>(null);
  const remove = useChange({
    send: (label_id: string) => answerOf(adminRemoveLabel(project_id, label_id)),
    said: (_, { name }) => `Removed ${name}`,
    onDone: () => setRemoved(null),
  });
  return (
    <Section title="Labels">
      <Loaded query={query} what="The labels">
        {(labels) =>
          labels.length === 0 ? (
            <p className="quiet">No label yet.</p>
          ) : (
            <Table
              label="Labels"
              className="settings"
              columns={[
                { id: 'name', label: 'Name' },
                { id: 'act', label: '', name: 'Actions', width: 80 },
              ]}
            >
              {labels.map(({ label_id, name }) => (
                <TableRow key={label_id}>
                  <PartName
                    name={name}
                    onRename={(next) => rename.mutate({ label_id, name: next })}
                    onRemove={() => setRemoved({ label_id, name })}
                  >
                    <LabelTag id={label_id} name={name} />
                  </PartName>
                </TableRow>
              ))}
            </Table>
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
      <Confirm
        open={removed !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setRemoved(null))}
        title={`Remove the label ${removed?.name ?? ''}?`}
        verb="Remove the label"
        danger
        busy={remove.isPending ? 'Removing…' : false}
        onConfirm={() => (removed === null ? undefined : remove.mutate(removed.label_id))}
      >
        <p>The tasks that have it lose it. The tasks themselves stay.</p>
      </Confirm>
    </Section>
  );
}
