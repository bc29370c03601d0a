import { useQuery } from '@tanstack/react-query';
import { adminUpdateProject } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { instructionsQuery, type ProjectSettings } from '../api/project-settings.ts';
import { Field } from '../ui/field.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { Form } from './form.tsx';
import { Loaded, Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface ProjectGuideProps {
  readonly project: ProjectSettings;
}

/**
 * How cards are written in the project (at most 20,000 characters), and what an agent reads of it, which is the
 * beginning of a long one.
 */
export function ProjectGuide({ project: { project_id, card_guide } }: ProjectGuideProps) {
  const query = useQuery(instructionsQuery(project_id));
  const save = useChange({
    inPlace: true,
    send: (guide: string) => answerOf(adminUpdateProject(project_id, { card_guide: guide })),
    said: () => 'Saved the card guide',
  });
  return (
    <Section title="Card guide" about="Tells agents how to write the cards of this project.">
      <Form
        key={card_guide}
        verb="Save the card guide"
        busy={save.isPending}
        onSend={(value) => save.mutate(value('guide'))}
      >
        <Field label="Guide" hint="At most 20,000 characters. Agents read it as plain text." error={errorOf(save)}>
          <Textarea name="guide" defaultValue={card_guide ?? ''} rows={8} maxLength={20_000} />
        </Field>
      </Form>
      <Loaded query={query} what="What agents read">
        {({ workspace, card_guide: shown, truncated }) => (
          <figure className="set-preview" data-testid="guide-preview">
            <figcaption className="quiet">As an agent reads it with tasker_get_agent_instructions</figcaption>
            {workspace.guide === null ? null : <pre>{workspace.guide}</pre>}
            <pre>{shown ?? 'Nobody has said how cards are written in this project.'}</pre>
            {truncated?.includes('card_guide') ? (
              <p className="hint">It is long: agents get its beginning, and the whole if they ask for it.</p>
            ) : null}
          </figure>
        )}
      </Loaded>
    </Section>
  );
}
