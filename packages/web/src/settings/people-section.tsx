import { useQuery } from '@tanstack/react-query';
import { adminAddUser, adminBlockUser, adminUnblockUser, adminUpdateUser } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type Person, peopleQuery } from '../api/settings.ts';
import { Badge } from '../ui/badge.tsx';
import { Field } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Input } from '../ui/input.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { Form } from './form.tsx';
import { Loaded, Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface PeopleSectionProps {
  readonly myId: string;
}

type Act = 'block' | 'unblock' | 'admin' | 'member';

const SAID: Readonly<Record<Act, string>> = {
  block: 'Blocked',
  unblock: 'Unblocked',
  admin: 'Made an admin:',
  member: 'Made a member:',
};

function send({ person: { user_id }, act }: { readonly person: Person; readonly act: Act }): Promise<unknown> {
  if (act === 'block') return answerOf(adminBlockUser(user_id, {}));
  if (act === 'unblock') return answerOf(adminUnblockUser(user_id, {}));
  return answerOf(adminUpdateUser(user_id, { role: act }));
}

/**
 * The people of the workspace: added (with the command for their sign-in link), blocked, made admin or member. Nobody
 * can change themselves here.
 */
export function PeopleSection({ myId }: PeopleSectionProps) {
  const query = useQuery(peopleQuery);
  const change = useChange({ send, said: ({ person, act }) => `${SAID[act]} ${person.name}` });
  const add = useChange({
    inPlace: true,
    send: (name: string) => answerOf(adminAddUser({ name })),
    said: (name) => `Added ${name}. Give them a sign-in link: errand open --user "${name}"`,
  });
  const itemsOf = (person: Person): readonly MenuItem[] => {
    const other = person.role === 'admin' ? 'member' : 'admin';
    const isMe = person.user_id === myId;
    const refused = isMe ? { refused: 'You cannot change yourself.' } : {};
    const flip = person.status === 'blocked' ? 'unblock' : 'block';
    return [
      {
        id: 'role',
        label: `Make a${other === 'admin' ? 'n admin' : ' member'}`,
        ...refused,
        onSelect: () => change.mutate({ person, act: other }),
      },
      {
        id: 'block',
        label: flip === 'block' ? 'Block' : 'Unblock',
        danger: flip === 'block',
        ...refused,
        onSelect: () => change.mutate({ person, act: flip }),
      },
    ];
  };
  return (
    <Section
      title="People"
      about="Admins see all projects and these settings. Members see the projects that they are in."
    >
      <Loaded query={query} what="The people">
        {(people) => (
          <Table
            label="People"
            className="settings"
            columns={[
              { id: 'name', label: 'Name' },
              { id: 'role', label: 'Role', width: 120 },
              { id: 'since', label: 'Added', width: 120 },
              { id: 'act', label: '', name: 'Actions', width: 56 },
            ]}
          >
            {people.map((person) => (
              <TableRow key={person.user_id} data-testid={`person-${person.name}`}>
                <td>
                  <span className="cell">
                    <PersonDot name={person.name} silent />
                    {person.name}
                    {person.status === 'blocked' ? <Badge tone="fail">Blocked</Badge> : null}
                  </span>
                </td>
                <td className="quiet">{person.role === 'admin' ? 'Admin' : 'Member'}</td>
                <td className="quiet">
                  <RelativeTime at={person.created_at} as="sentence" />
                </td>
                <td className="r">
                  <Menu
                    label={`Change ${person.name}`}
                    align="end"
                    items={itemsOf(person)}
                    trigger={<IconButton icon="more" label={`Change ${person.name}`} />}
                  />
                </td>
              </TableRow>
            ))}
          </Table>
        )}
      </Loaded>
      <Form
        inline
        verb="Add the person"
        busy={add.isPending}
        onSend={(value, form) => add.mutate(value('name'), { onSuccess: () => form.reset() })}
      >
        <Field label="Add a person" error={errorOf(add)}>
          <Input name="name" required maxLength={100} placeholder="Name" />
        </Field>
      </Form>
    </Section>
  );
}
