import { z } from 'zod';
import { defineTool } from '#tools/define';
import { uuid, uuidOrNull } from './fields.ts';
import { status } from './present.ts';

export const getContext = defineTool({
  name: 'get_context',
  title: 'Get your context',
  description:
    'Tells where you are: the project, task, attempt and run that you were started for, your branch, and the branches that your changes are meant for.',
  scope: 'board:read',
  effect: 'read',
  bound: true,
  route: 'GET /board/context',
  always_load: true,
  input: z.object({}),
  output: z.object({
    project_id: uuid('The id of the project (UUID).'),
    project_name: z.string().describe('The name of the project.'),
    task_id: uuid('The id of the task (UUID).'),
    task_title: z.string().describe('What is to be done, as the author of the task put it.'),
    task_status: status,
    attempt_id: uuid('The id of the attempt (UUID).'),
    execution_id: uuidOrNull('The id of your run (UUID), as create_step and update_step take it; null for none.'),
    workspace_branch: z.string().describe('The git branch on which the attempt works.'),
    workspace_repos: z
      .array(
        z.object({
          repo_id: uuid('The id of the repository (UUID).'),
          repo_name: z.string().describe('Its name, which is that of its folder.'),
          target_branch: z.string().describe('The branch that the changes are meant for.'),
        }),
      )
      .describe('The repositories of the attempt, each in a folder of its own.'),
  }),
  run: async ({ work, services }) => {
    const { project, task, task_status, attempt, execution_id, repos } = await services.board.context.get(work);
    return {
      project_id: project.id,
      project_name: project.name,
      task_id: task.id,
      task_title: task.title,
      task_status,
      attempt_id: attempt.id,
      execution_id,
      workspace_branch: attempt.branch,
      workspace_repos: repos.map(({ repo_id, repo_name, target_branch }) => ({ repo_id, repo_name, target_branch })),
    };
  },
});
