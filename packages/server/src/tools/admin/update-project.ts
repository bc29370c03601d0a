import { z } from 'zod';
import { MAX_RED_RETRIES } from '#domain/check';
import { MergeMode } from '#domain/git-job';
import { CompletionGate } from '#domain/project';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';
import { projectSettings, settingsOf } from './project-fields.ts';

const MAX_MERGE_MESSAGE = 4_000;

export const updateProject = defineTool({
  name: 'update_project',
  title: 'Update a project',
  description:
    'Changes the name of a project, its key, its card guide, its gates, or how attempts at its tasks are checked and merged. A former key still finds it.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /projects/{project_id}',
  cli: {
    command: 'project update',
    positionals: ['project_id'],
    files: ['card_guide', 'merge_message'],
    flags: { merge_mode: 'merge' },
  },
  input: z.object({
    project_id: adminFields.project_id,
    name: adminFields.name.optional(),
    key: adminFields.key.optional(),
    card_guide: adminFields.guide
      .optional()
      .describe(
        'Tells agents how to write the cards of this project: at most 20000 characters; an empty text removes it.',
      ),
    completion_gate: CompletionGate.optional().describe(
      '"checkers": a task with an open checker item cannot be completed. "none": it can.',
    ),
    require_green: z
      .boolean()
      .optional()
      .describe('Whether an agent may complete a task only when the checks of its newest attempt are green.'),
    retry_red: z
      .int()
      .min(0)
      .max(MAX_RED_RETRIES)
      .optional()
      .describe(`How many times red checks send an attempt back to its agent, 0 to ${MAX_RED_RETRIES}.`),
    merge_mode: MergeMode.optional().describe('How attempts are merged unless the call says otherwise.'),
    merge_message: z
      .string()
      .max(MAX_MERGE_MESSAGE)
      .optional()
      .describe(
        `The template of merge messages, at most ${MAX_MERGE_MESSAGE} characters, with {key}, {title}, {attempt}, {executor}, {branch}, {target} and {summary}; an empty text brings the usual one back.`,
      ),
    delete_branch: z.boolean().optional().describe('Whether the branch of a merged attempt is deleted.'),
  }),
  output: z.object(projectSettings),
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input: { project_id, ...changes }, work, services }) =>
    settingsOf(await services.projects.update(work, project_id, changes)),
});
