import { useQuery } from '@tanstack/react-query';
import { adminAddRepo, adminRemoveRepo } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { type ProjectSettings, reposQuery } from '../api/project-settings.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { Form } from './form.tsx';
import { type Repo, RepoDialog } from './repo-dialog.tsx';
import { Loaded, Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface ProjectReposProps {
  readonly project: ProjectSettings;
}

/**
 * The git repositories that agents work in are linked by their path on the server, changed and taken out; without one
 * no agent can be started. Their files stay.
 */
export function ProjectRepos({ project: { project_id } }: ProjectReposProps) {
  const query = useQuery(reposQuery(project_id));
  const [edited, setEdited] = useState<Repo | null>(null);
  const [leaving, setLeaving] = useState<Repo | null>(null);
  const add = useChange({
    inPlace: true,
    send: (path: string) => answerOf(adminAddRepo(project_id, { path })),
    said: () => 'Added the repository',
  });
  const remove = useChange({
    send: ({ repo_id }: Repo) => answerOf(adminRemoveRepo(repo_id)),
    said: ({ name }) => `Took ${name} out of the project`,
    onDone: () => setLeaving(null),
  });
  return (
    <Section title="Repositories" about="Agents work in a copy of their own, and their work is merged into the branch.">
      <Loaded query={query} what="The repositories">
        {({ repos }) =>
          repos.length === 0 ? (
            <p className="quiet">No repository: agents cannot be started on tasks of this project.</p>
          ) : (
            <Table
              label="Repositories"
              className="tall settings"
              columns={[
                { id: 'name', label: 'Name' },
                { id: 'branch', label: 'Branch', width: 140 },
                { id: 'act', label: '', name: 'Actions', width: 168 },
              ]}
            >
              {repos.map((repo) => (
                <TableRow key={repo.repo_id} data-testid={`repo-${repo.name}`}>
                  <td>
                    <span className="two">
                      <b>{repo.name}</b>
                      <span className="mono">{repo.path}</span>
                    </span>
                  </td>
                  <td className="mono quiet">{repo.target_branch}</td>
                  <td className="r">
                    <Button size="small" onClick={() => setEdited(repo)}>
                      Edit
                    </Button>{' '}
                    <Button size="small" onClick={() => setLeaving(repo)}>
                      Take out
                    </Button>
                  </td>
                </TableRow>
              ))}
            </Table>
          )
        }
      </Loaded>
      <Form
        inline
        verb="Add the repository"
        busy={add.isPending}
        onSend={(value, form) => add.mutate(value('path'), { onSuccess: () => form.reset() })}
      >
        <Field label="Add a repository" error={errorOf(add)}>
          <Input name="path" required placeholder="Absolute path on the server" />
        </Field>
      </Form>
      {edited === null ? null : <RepoDialog repo={edited} onClose={() => setEdited(null)} />}
      <Confirm
        open={leaving !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setLeaving(null))}
        title={`Take ${leaving?.name ?? 'the repository'} out?`}
        verb="Take it out"
        busy={remove.isPending ? 'Taking out…' : false}
        onConfirm={() => (leaving === null ? undefined : remove.mutate(leaving))}
      >
        <p>Its files stay where they are. No new attempt can be started in it.</p>
      </Confirm>
    </Section>
  );
}
