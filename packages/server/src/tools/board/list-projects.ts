import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { shortName, shortPageInput, uuid } from './fields.ts';

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects that you may see, and what you may do there.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /board/projects',
  input: z.object(shortPageInput),
  output: z.object({
    projects: z
      .array(
        z.object({
          project_id: uuid('Project (UUID).'),
          key: shortName('Key, such as WEB; null for none.'),
          name: z.string().describe('Name.'),
          kind: z.enum(['team', 'personal']).describe('team, or personal for the todo list of a person.'),
          is_on_board: z
            .boolean()
            .describe('Whether its tasks are on this board; false when they are kept in a tracker elsewhere.'),
          can_complete: z.boolean().describe('Whether you may move tasks to done.'),
          can_cancel: z.boolean().describe('Whether you may cancel tasks.'),
        }),
      )
      .describe('The projects.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.board.lists.projects(work, input);
    return {
      projects: rows.map(({ project: { id, key, name, kind }, is_on_board, rights: { can_complete, can_cancel } }) => ({
        project_id: id,
        key,
        name,
        kind,
        is_on_board,
        can_complete,
        can_cancel,
      })),
      ...more,
    };
  },
});
