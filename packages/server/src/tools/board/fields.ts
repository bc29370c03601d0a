import { z } from 'zod';
import { AttemptId, ProjectId, SessionId, WorkItemId } from '#domain/ids';
import { MAX_BLOCKERS } from '#domain/task-plan';
import { text } from '#domain/text';
import { MAX_DESCRIPTION_CHARACTERS, MAX_TITLE_CHARACTERS, Priority } from '#domain/work-item';
import { pageInput } from '#tools/paging';

const anId = z.string().meta({ format: 'uuid' });

/** An id in an answer: always a UUID. */
export const uuid = (description: string) => anId.describe(description);

export const uuidOrNull = (description: string) => anId.nullable().describe(description);

/** A short name in an answer, such as WEB-12. */
export const shortName = (description: string) => z.string().nullable().describe(description);

/** Who did something. */
export const author = z
  .object({
    kind: z.enum(['user', 'agent']).describe('user for a person, or agent.'),
    id: uuid('User or agent (UUID).'),
    name: z.string().describe('Name.'),
  })
  .nullable();

/** The arguments that the tools of the board share. */
export const boardFields = {
  project_id: ProjectId.describe('Project key or id, from list_projects.'),
  task_id: WorkItemId.describe('Task key or id, from list_tasks or next_task.'),
  attempt_id: AttemptId.describe('Attempt key or id, from list_task_attempts.'),
  session_id: SessionId.describe('Session id, from list_task_attempts.'),
  title: text(1, MAX_TITLE_CHARACTERS).describe('One line: 1 to 255 characters.'),
  description: text(0, MAX_DESCRIPTION_CHARACTERS).describe('What and why, as plain text: at most 50,000 characters.'),
  status: z
    .string()
    .min(1)
    .max(100)
    .describe('Column: todo, inprogress, inreview, done, cancelled, or one of the project.'),
  priority: Priority.describe('none, low, medium, high or urgent.'),
  blocked_by: z
    .array(WorkItemId)
    .max(MAX_BLOCKERS)
    .describe('All tasks of the project that must be completed first, by key or id: at most 50, [] for none.'),
  claim_epoch: z
    .int()
    .min(1)
    .describe('claim.epoch of next_task: proves that the task is still yours, and renews the lease.'),
};

/** The paging arguments of a list that fits into a short answer. */
export const shortPageInput = {
  ...pageInput,
  limit: pageInput.limit.describe('At most so many rows, 1 to 200.'),
};
