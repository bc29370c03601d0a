import { z } from 'zod';
import { fitting, jsonLength, ROOM, shortText } from '#domain/answer-size';
import { rulesFor } from '#domain/operating-rules';
import { Scope } from '#domain/scope';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { truncated, truncatedOf } from './present.ts';

const FRAME_CHARACTERS = 200;
const MOST_PROJECTS = 20;

export const taskerGetAgentInstructions = defineTool({
  name: 'tasker_get_agent_instructions',
  title: 'Get the operating rules',
  description:
    'Answers how to work with this tracker: the rules, the projects that you may work in and what you may do there, how cards are written, and what to report. Call it before you plan changes.',
  scope: 'workspace:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /tasker/instructions',
  input: z.object({
    project_id: taskerFields.project_id
      .optional()
      .describe('The project that you are about to work in: its card guide is answered too.'),
    include: z
      .array(z.enum(['guides']))
      .max(1)
      .optional()
      .describe('["guides"] answers the guides of workspace and project whole, however long they are.'),
  }),
  output: z.object({
    instructions: z.string().describe('What to do when calls fail or no answer comes.'),
    minimum: z.array(z.string()).describe('The rules that always hold.'),
    reporting: z.array(z.string()).describe('What people expect to find on the cards.'),
    workspace: z
      .object({
        name: z.string().describe('The name of the workspace.'),
        guide: z
          .string()
          .nullable()
          .describe('How this workspace wants its cards, as its people put it; null when nobody has.'),
      })
      .describe('The workspace.'),
    projects: z
      .array(
        z.object({
          id: z.string().describe('The id of the project.'),
          name: z.string().describe('The name of the project.'),
          scopes: z.array(Scope).describe('What you may do there.'),
          can_complete: z.boolean().describe('Whether you may move issues to a completed state.'),
          can_cancel: z.boolean().describe('Whether you may move issues to a cancelled state.'),
        }),
      )
      .describe(
        'The projects that you may work in, or the one that was named. tasker_list_projects lists all of them.',
      ),
    card_guide: z
      .string()
      .optional()
      .describe(
        'How cards are written in the project that was named, or in the only one; left out when nobody has said.',
      ),
    truncated,
  }),
  run: async ({ input, work, services }) => {
    const found = await services.tasker.instructions.read(work, input.project_id, MOST_PROJECTS);
    const { minimum, reporting, retries } = rulesFor(work.caller.scopes);
    const rules = { instructions: retries.join('\n'), minimum: [...minimum], reporting: [...reporting] };
    const all = found.projects.map(({ project: { id, name }, rights: { scopes, can_complete, can_cancel } }) => ({
      id,
      name,
      scopes: [...scopes].toSorted(),
      can_complete,
      can_cancel,
    }));

    const { name } = found.workspace;
    const room = ROOM.answer - FRAME_CHARACTERS - jsonLength({ ...rules, name });
    const short = (text: string | null, share: number): string =>
      input.include === undefined ? shortText(text ?? '', Math.floor(room * share)) : (text ?? '');
    const card_guide = short(found.card_guide, 0.4);
    const guide = short(found.workspace.guide, 0.25);
    const left = input.include === undefined ? room - jsonLength(card_guide) - jsonLength(guide) : room / 3;
    const projects = all.slice(0, Math.max(1, fitting(all, left)));

    return {
      ...rules,
      workspace: { name, guide: guide || null },
      projects,
      ...(card_guide !== '' && { card_guide }),
      ...truncatedOf([
        ...(guide === (found.workspace.guide ?? '') ? [] : ['workspace.guide']),
        ...(projects.length === all.length ? [] : ['projects']),
        ...(card_guide === (found.card_guide ?? '') ? [] : ['card_guide']),
      ]),
    };
  },
});
