import { z } from 'zod';
import { MergeMode } from '#domain/git-job';
import { CompletionGate, type Project } from '#domain/project';

/** The settings of a project, as they are read and as a change answers them. */
export const projectSettings = {
  project_id: z.string().describe('The id of the project (UUID).'),
  name: z.string().describe('The name of the project.'),
  key: z.string().nullable().describe('Its key; null for the todo list of an app’s user.'),
  card_guide: z.string().nullable().describe('How cards are to be written here; null for no guide.'),
  completion_gate: CompletionGate.describe(
    '"checkers" if a task with open checker items cannot be completed, else "none".',
  ),
  require_green: z.boolean().describe('Whether an agent may complete a task with green checks only.'),
  retry_red: z.int().describe('How many times red checks send an attempt back to its agent.'),
  merge_mode: MergeMode.describe('How attempts are merged: merge, squash or rebase.'),
  merge_message: z.string().nullable().describe('The template of merge messages; null for the usual one.'),
  delete_branch: z.boolean().describe('Whether the branch of a merged attempt is deleted.'),
};

export const settingsOf = (project: Project) => ({
  project_id: project.id,
  name: project.name,
  key: project.key,
  card_guide: project.card_guide,
  completion_gate: project.completion_gate,
  require_green: project.require_green,
  retry_red: project.retry_red,
  merge_mode: project.merge_mode,
  merge_message: project.merge_message,
  delete_branch: project.delete_branch,
});
