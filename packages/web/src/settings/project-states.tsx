import { useQuery } from '@tanstack/react-query';
import { type AdminAddStateBody, adminAddState, adminRemoveState, adminUpdateState } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { type ProjectSettings, statesQuery } from '../api/project-settings.ts';
import { namesIn, taskLook } from '../text/words.ts';
import { Chip } from '../ui/chip.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Menu } from '../ui/menu.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { Form } from './form.tsx';
import { PartName } from './part-name.tsx';
import { Loaded, Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

type Group = AdminAddStateBody['state_group'];

const GROUPS: Readonly<Record<Group, string>> = {
  backlog: 'Backlog',
  unstarted: 'Not started',
  started: 'Started',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

interface ProjectStatesProps {
  readonly project: ProjectSettings;
}

/**
 * The columns of the board are added with a group (backlog, not started, started, completed, cancelled), renamed and
 * removed.
 */
export function ProjectStates({ project: { project_id } }: ProjectStatesProps) {
  const query = useQuery(statesQuery(project_id));
  const [group, setGroup] = useState<Group>('started');
  const add = useChange({
    inPlace: true,
    send: (name: string) => answerOf(adminAddState(project_id, { name, state_group: group })),
    said: (name) => `Added ${name}`,
  });
  const rename = useChange({
    send: ({ state_id, name }: { readonly state_id: string; readonly name: string }) =>
      answerOf(adminUpdateState(project_id, state_id, { name })),
    said: (_, { name }) => `Renamed it to ${name}`,
  });
  const remove = useChange({
    send: (state_id: string) => answerOf(adminRemoveState(project_id, state_id)),
    said: (_, { name }) => `Removed ${name}`,
  });
  return (
    <Section title="States" about="The columns of the board, from left to right. The group says what a state means.">
      <Loaded query={query} what="The states">
        {({ states }) => (
          <Table
            label="States"
            className="settings"
            columns={[
              { id: 'name', label: 'Name' },
              { id: 'group', label: 'Group', width: 160 },
              { id: 'slug', label: 'Called by agents', width: 180 },
              { id: 'act', label: '', name: 'Actions', width: 80 },
            ]}
          >
            {states.map(({ state_id, name, slug, state_group }) => (
              <TableRow key={state_id}>
                <PartName
                  name={name}
                  beside={
                    <>
                      <td className="quiet">{GROUPS[state_group]}</td>
                      <td className="quiet mono">{slug}</td>
                    </>
                  }
                  onRename={(next) => rename.mutate({ state_id, name: next })}
                  onRemove={() => remove.mutate(state_id)}
                >
                  <StatusIcon of="task" status={taskLook({ group: state_group, state: name })} />
                  {name}
                </PartName>
              </TableRow>
            ))}
          </Table>
        )}
      </Loaded>
      <Form
        inline
        verb="Add the state"
        busy={add.isPending}
        onSend={(value, form) => add.mutate(value('state'), { onSuccess: () => form.reset() })}
      >
        <Field label="Add a state" error={errorOf(add)}>
          <Input name="state" required maxLength={50} placeholder="Name, as “In testing”" />
        </Field>
        <Menu
          label="Group of the new state"
          align="end"
          items={namesIn(GROUPS).map((each) => ({
            id: each,
            label: GROUPS[each],
            current: each === group,
            onSelect: () => setGroup(each),
          }))}
          trigger={
            <Chip opens className="set-pick">
              {GROUPS[group]}
            </Chip>
          }
        />
      </Form>
    </Section>
  );
}
