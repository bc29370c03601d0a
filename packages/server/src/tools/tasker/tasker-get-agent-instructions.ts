import { z } from 'zod';
import { fitting, jsonLength, ROOM, shortText } from '#domain/answer-size';
import { rulesFor } from '#domain/operating-rules';
import { Scope } from '#domain/scope';
import type { Services } from '#services/services';
import { defineTool } from '#tools/define';
import { taskerFields } from './fields.ts';
import { truncated, truncatedOf } from './present.ts';

const FRAME_CHARACTERS = 200;
const MAX_PROJECTS = 20;
/** The limit of an answer with whole guides: one project's guide can have 20,000 characters. */
const MAX_WHOLE_CHARACTERS = 60_000;
/** A shorter part of a guide would be useless. */
const MIN_GUIDE_CHARACTERS = 60;

type Found = Awaited<ReturnType<Services['tasker']['instructions']['read']>>['projects'];

/** The projects that fit, each with as much of its card guide as fits. */
function projectRows(found: Found, characters: number) {
  const bare = found.map(({ project: { id, name }, rights: { scopes, can_complete, can_cancel } }) => ({
    id,
    name,
    scopes: [...scopes].toSorted(),
    can_complete,
    can_cancel,
  }));
  const count = Math.max(1, fitting(bare, characters));
  const guides = found.slice(0, count).map(({ project }) => (found.length === 1 ? '' : (project.card_guide ?? '')));
  const share = (characters - jsonLength(bare.slice(0, count))) / Math.max(1, guides.filter(Boolean).length) - 20;
  const shown = bare.slice(0, count).map((row, index) => {
    const card_guide = share < MIN_GUIDE_CHARACTERS ? '' : shortText(guides[index] ?? '', share);
    return card_guide === '' ? row : { ...row, card_guide };
  });
  const is_cut = shown.some((row, index) => ('card_guide' in row ? row.card_guide : '') !== guides[index]);
  return { shown, is_cut };
}

export const taskerGetAgentInstructions = defineTool({
  name: 'tasker_get_agent_instructions',
  title: 'Get the operating rules',
  description:
    'Answers the rules of this tracker: your projects, what you may do there, the card guide of each, what to report. Call it before you plan changes.',
  scope: 'workspace:read',
  effect: 'read',
  project: 'project_id',
  route: 'GET /tasker/instructions',
  input: z.object({
    project_id: taskerFields.project_id.optional().describe('Project to work in: only that one is answered.'),
    include: z
      .array(z.enum(['guides']))
      .max(1)
      .optional()
      .describe('["guides"]: guides whole, however long.'),
  }),
  output: z.object({
    instructions: z.string().describe('What to do when calls fail or no answer comes.'),
    minimum: z.array(z.string()).describe('The rules that always hold.'),
    reporting: z.array(z.string()).describe('What people expect on cards.'),
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
          id: z.string().describe('Project.'),
          name: z.string().describe('Name.'),
          scopes: z.array(Scope).describe('What you may do there.'),
          can_complete: z.boolean().describe('Whether you may complete issues.'),
          can_cancel: z.boolean().describe('Whether you may cancel issues.'),
          card_guide: z
            .string()
            .optional()
            .describe('How its cards are written, when several projects are listed; left out when nobody has said.'),
        }),
      )
      .describe('Your projects, or the one that was named. tasker_list_projects lists all of them.'),
    card_guide: z
      .string()
      .optional()
      .describe(
        'How cards are written in the project that was named, or in the only one; left out when nobody has said.',
      ),
    truncated,
  }),
  run: async ({ input, work, services }) => {
    const found = await services.tasker.instructions.read(work, input.project_id, MAX_PROJECTS);
    const { minimum, reporting, retries } = rulesFor(work.caller.scopes);
    const rules = { instructions: retries.join('\n'), minimum: [...minimum], reporting: [...reporting] };
    const listed = found.projects.slice(0, MAX_PROJECTS);
    const [only, ...others] = listed;
    const single = others.length === 0 ? (only?.project.card_guide ?? '') : '';
    const isWhole = input.include !== undefined;

    const { name } = found.workspace;
    const frame = FRAME_CHARACTERS + jsonLength({ ...rules, name });
    const room = (isWhole ? MAX_WHOLE_CHARACTERS : ROOM.answer) - frame;
    const guide = isWhole ? (found.workspace.guide ?? '') : shortText(found.workspace.guide ?? '', room * 0.25);
    const card_guide = isWhole ? single : shortText(single, room * 0.4);
    const rows = projectRows(listed, room - jsonLength(guide) - jsonLength(card_guide));

    return {
      ...rules,
      workspace: { name, guide: guide || null },
      projects: rows.shown,
      ...(card_guide !== '' && { card_guide }),
      ...truncatedOf([
        ...(guide === (found.workspace.guide ?? '') ? [] : ['workspace.guide']),
        ...(rows.shown.length === found.projects.length ? [] : ['projects']),
        ...(rows.is_cut ? ['projects.card_guide'] : []),
        ...(card_guide === single ? [] : ['card_guide']),
      ]),
    };
  },
});
