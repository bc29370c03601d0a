import { z } from 'zod';
import { attemptKey, taskKey } from '#domain/key';
import { defineTool } from '#tools/define';
import { shortName, uuid, uuidOrNull } from './fields.ts';
import { status } from './present.ts';

export const getContext = defineTool({
  name: 'get_context',
  title: 'Get your context',
  description: 'Tells what you were started for: project, task, attempt, run, your branch, and where your changes go.',
  scope: 'board:read',
  effect: 'read',
  bound: true,
  route: 'GET /board/context',
  always_load: true,
  input: z.object({}),
  output: z.object({
    project_id: uuid('Project (UUID).'),
    project_key: shortName('Its key; null for none.'),
    project_name: z.string().describe('Its name.'),
    task_id: uuid('Task (UUID).'),
    task_key: shortName('Its short name; null for none.'),
    task_title: z.string().describe('Its title.'),
    task_status: status,
    attempt_id: uuid('Attempt (UUID).'),
    attempt_key: shortName('Its short name; null for none.'),
    execution_id: uuidOrNull('Your run (UUID), as create_step takes it; null for none.'),
    workspace_branch: z.string().describe('Your git branch.'),
    workspace_repos: z
      .array(
        z.object({
          repo_id: uuid('Repository (UUID).'),
          repo_name: z.string().describe('Its folder.'),
          target_branch: z.string().describe('Branch that changes go to.'),
        }),
      )
      .describe('Its repositories.'),
  }),
  run: async ({ work, services }) => {
    const { project, task, task_status, attempt, execution_id, repos } = await services.board.context.get(work);
    return {
      project_id: project.id,
      project_key: project.key,
      project_name: project.name,
      task_id: task.id,
      task_key: taskKey(project.key, task.number),
      task_title: task.title,
      task_status,
      attempt_id: attempt.id,
      attempt_key: attemptKey(taskKey(project.key, task.number), attempt.number),
      execution_id,
      workspace_branch: attempt.branch,
      workspace_repos: repos.map(({ repo_id, repo_name, target_branch }) => ({ repo_id, repo_name, target_branch })),
    };
  },
});
