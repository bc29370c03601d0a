import { type AdminUpdateProjectBody, adminUpdateProject } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { ReactNode } from 'react';
import type { ProjectSettings } from '../api/project-settings.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Form } from './form.tsx';
import { Section } from './section.tsx';
import { useChange } from './use-change.ts';

const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

const MERGES = [
  { value: 'merge', label: 'Merge' },
  { value: 'squash', label: 'Squash' },
  { value: 'rebase', label: 'Rebase' },
] as const;

interface LineProps {
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}

const Line = ({ title, about, children }: LineProps) => (
  <div className="set-line">
    <span className="two">
      <b>{title}</b>
      <span>{about}</span>
    </span>
    {children}
  </div>
);

interface ProjectWorkProps {
  readonly project: ProjectSettings;
}

/**
 * When a task may be completed (ticked criteria, green checks), how work is merged, and how often red checks go back.
 * Each choice holds at once.
 */
export function ProjectWork({ project }: ProjectWorkProps) {
  const save = useChange({
    send: (body: AdminUpdateProjectBody) => answerOf(adminUpdateProject(project.project_id, body)),
    said: () => 'Saved',
  });
  const yesNo = (label: string, value: boolean, field: 'require_green' | 'delete_branch') => (
    <Choice
      label={label}
      value={value ? 'yes' : 'no'}
      options={YES_NO}
      onChange={(next) => save.mutate({ [field]: next === 'yes' })}
    />
  );
  return (
    <Section title="Checks and merges">
      <Line title="Checkers must be ticked" about="A task with an open checker item cannot be completed.">
        <Choice
          label="Checkers must be ticked"
          value={project.completion_gate === 'checkers' ? 'yes' : 'no'}
          options={YES_NO}
          onChange={(next) => save.mutate({ completion_gate: next === 'yes' ? 'checkers' : 'none' })}
        />
      </Line>
      <Line
        title="Require green"
        about="An agent completes a task only when the checks of its newest attempt are green."
      >
        {yesNo('Require green', project.require_green, 'require_green')}
      </Line>
      <Line title="Merge mode" about="How attempts are merged unless a person chooses otherwise.">
        <Choice
          label="Merge mode"
          value={project.merge_mode}
          options={MERGES}
          onChange={(merge_mode) => save.mutate({ merge_mode })}
        />
      </Line>
      <Line title="Delete merged branches" about="The branch of a merged attempt is deleted.">
        {yesNo('Delete merged branches', project.delete_branch, 'delete_branch')}
      </Line>
      <Form
        key={`${project.retry_red}/${project.merge_message}`}
        verb="Save"
        busy={save.isPending}
        onSend={(value) => save.mutate({ retry_red: Number(value('retry')), merge_message: value('message') })}
      >
        <Field label="Retry red" hint="How many times red checks send an attempt back to its agent: 0 to 10.">
          <Input name="retry" type="number" min={0} max={10} required defaultValue={project.retry_red} />
        </Field>
        <Field
          label="Merge message"
          hint="With {key}, {title}, {attempt}, {executor}, {branch}, {target} and {summary}. Empty: the usual one."
        >
          <Input name="message" defaultValue={project.merge_message ?? ''} maxLength={4_000} />
        </Field>
      </Form>
    </Section>
  );
}
