import { z } from 'zod';
import { jsonLength, ROOM, shortText } from '#domain/answer-size';
import { ProjectPart, StateGroup } from '#domain/project';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { named, projectAnswer, projectOf, truncated, truncatedOf } from './present.ts';

/** Room for the guide's name and the list of shortened parts. */
const FRAME_CHARACTERS = 100;
const GUIDE_CHARACTERS = 1_500;

export const taskerGetProjectContext = defineTool({
  name: 'tasker_get_project_context',
  title: 'Get the context of a project',
  description:
    'Answers the states, labels and members of a project with their ids, and how its cards are written. Long lists go on with part and cursor, as more says.',
  scope: 'project:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /tasker/projects/{project_id}',
  input: z.object({
    project_id: taskerFields.project_id,
    include: z
      .array(z.enum(['card_guide']))
      .max(1)
      .optional()
      .describe('["card_guide"]: guide whole, however long.'),
    part: ProjectPart.optional().describe('Only this list.'),
    cursor: z.string().max(500).optional().describe('more[part] of the previous answer.'),
  }),
  output: z.object({
    project: projectAnswer.describe('The project.'),
    states: z
      .array(named.extend({ group: StateGroup.describe('What kind of state it is.') }))
      .optional()
      .describe('The states, in order; left out when another part was asked for.'),
    labels: z.array(named).optional().describe('The labels, by name; left out when another part was asked for.'),
    members: z
      .array(
        named.extend({
          role: z.string().describe('Their role in the project.'),
          is_active: z.boolean().describe('Whether issues can be assigned to them.'),
        }),
      )
      .optional()
      .describe('The members; left out when another part was asked for.'),
    card_guide: z.string().nullable().optional().describe('How cards are written here; null when nobody has said.'),
    more: z
      .object({
        states: z.string().optional().describe('The cursor for more states.'),
        labels: z.string().optional().describe('The cursor for more labels.'),
        members: z.string().optional().describe('The cursor for more members.'),
      })
      .optional()
      .describe('Cursors of lists that were cut: call again with part and this cursor.'),
    truncated,
  }),
  run: async ({ input, work, services }) => {
    const { project, rights, states, labels, members, more } = await services.tasker.context.read(work, input);
    const answer = {
      project: projectOf({ project, rights }),
      ...(states !== undefined && { states: [...states] }),
      ...(labels !== undefined && { labels: [...labels] }),
      ...(members !== undefined && { members: [...members] }),
      ...(Object.keys(more).length > 0 && { more }),
    };
    if (input.part !== undefined) return answer;

    const guide = project.card_guide ?? '';
    const room = Math.min(GUIDE_CHARACTERS, ROOM.answer - FRAME_CHARACTERS - jsonLength(answer));
    const shown = input.include === undefined ? shortText(guide, room) : guide;
    return { ...answer, card_guide: shown || null, ...truncatedOf(shown === guide ? [] : ['card_guide']) };
  },
});
