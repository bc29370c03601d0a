import { z } from 'zod';
import { WorkItemId } from '#domain/ids';
import { StateGroup } from '#domain/project';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { boardFields, shortName, uuid } from './fields.ts';
import { card, cardOf, partsByTask } from './present-card.ts';

const MAX_TASKS = 100;

export const showBoard = defineTool({
  name: 'show_board',
  title: 'Show a board',
  description: 'Shows the board of a project to people: its columns in order, each with its count and its first cards.',
  scope: 'board:read',
  effect: 'read',
  mcp: 'views',
  project: 'project_id',
  route: 'GET /board/projects/{project_id}/cards',
  input: z.object({
    project_id: boardFields.project_id,
    status: boardFields.status.optional().describe('Only this column, which next_cursor goes on with.'),
    task_ids: z.array(WorkItemId).max(MAX_TASKS).optional().describe('Only these tasks, by key or id: at most 100.'),
    related: z.boolean().optional().describe('With task_ids: also their parents and what waits for them.'),
    parent_id: WorkItemId.optional().describe('Only the sub-tasks of this task, by key or id.'),
    ...pageInput,
  }),
  output: z.object({
    project_id: uuid('Project (UUID).'),
    key: shortName('Key, such as WEB; null for none.'),
    name: z.string().describe('Name.'),
    columns: z
      .array(
        z.object({
          status: z.string().describe('Short name of the state: todo.'),
          name: z.string().describe('Name of the state: Todo.'),
          group: StateGroup.describe('backlog, unstarted, started, completed or cancelled.'),
          count: z.int().describe('How many tasks it has.'),
          cards: z
            .array(card)
            .describe('Its cards: those that need a person first, then in order; ended ones newest first.'),
          ...pageOutput,
        }),
      )
      .describe('The columns from left to right.'),
  }),
  run: async ({ input, work, services }) => {
    const { project, columns, parts: all } = await services.board.cards(work, input);
    const parts = partsByTask(all);
    return {
      project_id: project.id,
      key: project.key,
      name: project.name,
      columns: columns.map(({ state, count, cards, ...more }) => ({
        status: state.slug,
        name: state.name,
        group: state.state_group,
        count,
        cards: cards.map((seen) => cardOf(parts, seen)),
        ...more,
      })),
    };
  },
});
