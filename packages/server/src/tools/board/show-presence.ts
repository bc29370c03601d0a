import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { boardFields, uuid } from './fields.ts';

export const showPresence = defineTool({
  name: 'show_presence',
  title: 'Look at a task',
  description: 'Says that you look at a task for the next 45 seconds, and answers who else does.',
  scope: 'board:read',
  effect: 'update',
  idempotent: true,
  mcp: false,
  route: 'PUT /board/tasks/{task_id}/presence',
  input: z.object({
    task_id: boardFields.task_id,
    editing: z.boolean().default(false).describe('true while you write.'),
  }),
  output: z.object({
    people: z
      .array(
        z.object({
          user_id: uuid('User (UUID).'),
          name: z.string().describe('Name.'),
          editing: z.boolean().describe('Whether they write.'),
          since: time.describe('Since when (RFC 3339).'),
        }),
      )
      .describe('Who looks at it, with you, at most 20.'),
  }),
  // Looking is no change of the task: it is not audited. The service tells others.
  entity: () => null,
  event: 'own',
  run: async ({ input: { task_id, editing }, work, services }) => {
    const people = await services.board.presence.look(work, task_id, editing);
    return {
      people: people.map((person) => ({
        user_id: person.user_id,
        name: person.name,
        editing: person.editing,
        since: rfc3339(person.since),
      })),
    };
  },
});
