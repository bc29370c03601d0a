import { useQuery } from '@tanstack/react-query';
import { type AdminUpdateWorkspaceBody, adminUpdateWorkspace } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { workspaceQuery } from '../api/settings.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { Form } from './form.tsx';
import { Loaded, Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

/**
 * What holds for all projects: the name of the workspace, the guide that agents read (20,000 characters), and whether
 * members are managed here or elsewhere.
 */
export function WorkspaceSection() {
  const query = useQuery(workspaceQuery);
  const save = useChange({
    inPlace: true,
    send: (body: AdminUpdateWorkspaceBody) => answerOf(adminUpdateWorkspace(body)),
    said: () => 'Saved the workspace',
  });
  return (
    <Section title="Workspace" about="Every agent reads the guide before the card guide of its project.">
      <Loaded query={query} what="The workspace">
        {({ name, guide, members }) => (
          <>
            <Form
              // What somebody else saved replaces what is shown.
              key={`${name}/${guide}`}
              verb="Save the workspace"
              busy={save.isPending}
              onSend={(value) => save.mutate({ name: value('name'), guide: value('guide') })}
            >
              <Field label="Name of the workspace" error={errorOf(save)}>
                <Input name="name" defaultValue={name} required maxLength={100} />
              </Field>
              <Field label="Guide for agents" hint="How agents work here: at most 20,000 characters.">
                <Textarea name="guide" defaultValue={guide ?? ''} rows={6} maxLength={20_000} />
              </Field>
            </Form>
            <div className="set-line">
              <span className="two">
                <b>Who manages members of projects</b>
                <span>With another system, agents cannot add members here.</span>
              </span>
              <Choice
                label="Who manages members of projects"
                value={members}
                options={[
                  { value: 'here', label: 'Errand' },
                  { value: 'external', label: 'Another system' },
                ]}
                onChange={(next) => save.mutate({ members: next })}
              />
            </div>
          </>
        )}
      </Loaded>
    </Section>
  );
}
