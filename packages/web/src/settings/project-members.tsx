import { useQuery } from '@tanstack/react-query';
import { adminAddMember, adminRemoveMember } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { membersQuery, type ProjectSettings } from '../api/project-settings.ts';
import { peopleQuery } from '../api/settings.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Menu } from '../ui/menu.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { Loaded, Section } from './section.tsx';
import { useChange } from './use-change.ts';

const ROLES = [
  { value: 'guest', label: 'Guest' },
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
] as const;

type Role = (typeof ROLES)[number]['value'];

interface ProjectMembersProps {
  readonly project: ProjectSettings;
}

/**
 * The members of a project are added, get another role (guest, member, admin), and are taken out. Blocked people cannot
 * be added.
 */
export function ProjectMembers({ project: { project_id } }: ProjectMembersProps) {
  const query = useQuery(membersQuery(project_id));
  const { data: people = [] } = useQuery(peopleQuery);
  const put = useChange({
    send: ({ user_id, role }: { readonly user_id: string; readonly name: string; readonly role: Role }) =>
      answerOf(adminAddMember(project_id, { user_id, role })),
    said: ({ name, role }) => `${name} is a ${role} of the project`,
  });
  const remove = useChange({
    send: ({ user_id }: { readonly user_id: string; readonly name: string }) =>
      answerOf(adminRemoveMember(project_id, user_id)),
    said: ({ name }) => `Took ${name} out of the project`,
  });
  return (
    <Section
      title="Members"
      about="Guests read, members work, admins also decide. Admins of the workspace see all projects."
    >
      <Loaded query={query} what="The members">
        {(members) => {
          const inside = new Set(members.map(({ user_id }) => user_id));
          const others = people.filter(({ user_id, status }) => status === 'active' && !inside.has(user_id));
          return (
            <>
              <Table
                label="Members"
                className="settings members"
                columns={[
                  { id: 'name', label: 'Name' },
                  { id: 'role', label: 'Role', width: 240 },
                  { id: 'act', label: '', name: 'Actions', width: 104 },
                ]}
              >
                {members.map((member) => (
                  <TableRow key={member.user_id} data-testid={`member-${member.name}`}>
                    <td>
                      <span className="cell">
                        <PersonDot name={member.name} silent />
                        {member.name}
                      </span>
                    </td>
                    <td>
                      <Choice
                        label={`Role of ${member.name}`}
                        value={member.role}
                        options={ROLES}
                        onChange={(role) => put.mutate({ ...member, role })}
                      />
                    </td>
                    <td className="r">
                      <Button size="small" onClick={() => remove.mutate(member)}>
                        Take out
                      </Button>
                    </td>
                  </TableRow>
                ))}
              </Table>
              {others.length === 0 ? null : (
                <div className="set-send">
                  <Menu
                    label="Add a member"
                    filter="Add…"
                    items={others.map(({ user_id, name }) => ({
                      id: user_id,
                      label: name,
                      icon: <PersonDot name={name} silent />,
                      onSelect: () => put.mutate({ user_id, name, role: 'member' }),
                    }))}
                    trigger={<Button icon="plus">Add a member</Button>}
                  />
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
