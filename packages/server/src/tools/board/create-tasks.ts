import { z } from 'zod';
import { MAX_BLOCKERS, MAX_NEW_TASKS } from '#domain/task-plan';
import { defineTool } from '#tools/define';
import { boardFields, shortName, uuid } from './fields.ts';
import { similarOf, similarRows } from './present-similar.ts';

const ref = z.string().min(1).max(200);

export const createTasks = defineTool({
  name: 'create_tasks',
  title: 'Create several tasks',
  description:
    'Adds several tasks at once, all or none. Name each with ref; parent_ref and blocked_by take refs or tasks.',
  scope: 'board:write',
  effect: 'create',
  project: 'project_id',
  lane: 'project_id',
  route: 'POST /board/projects/{project_id}/tasks/batch',
  input: z.object({
    project_id: boardFields.project_id,
    tasks: z
      .array(
        z.object({
          ref: ref.describe('Your name for it in this call.'),
          title: boardFields.title.describe('One line.'),
          description: boardFields.description.optional().describe('What and why.'),
          priority: boardFields.priority.optional().describe('none, low, medium, high or urgent.'),
          parent_ref: ref.optional().describe('Its parent.'),
          blocked_by: z.array(ref).max(MAX_BLOCKERS).optional().describe('What must be done before.'),
        }),
      )
      .min(1)
      .max(MAX_NEW_TASKS)
      .describe('1 to 100 tasks.'),
  }),
  output: z.object({
    tasks: z
      .array(
        z.object({
          ref: z.string().describe('Your name for it.'),
          task_id: uuid('Task (UUID).'),
          key: shortName('Short name, such as WEB-12; null for none.'),
          similar: similarRows,
        }),
      )
      .describe('The tasks, in your order.'),
  }),
  event: 'own',
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  prepare: ({ input: { project_id, tasks }, work, services }) =>
    services.board.similar.find(
      work,
      { project_id, scope: 'board:read' },
      tasks.map(({ title }) => title),
    ),
  run: async ({ input, work, services, prepared }) => {
    const created = await services.board.createTasks(work, input);
    return { tasks: created.map((task, at) => ({ ...task, ...similarOf(prepared[at]) })) };
  },
});
