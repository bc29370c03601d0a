import { z } from 'zod';
import { AttemptId, ProjectId, SessionId, WorkItemId } from '#domain/ids';
import { text } from '#domain/text';
import { Priority } from '#domain/work-item';
import { pageInput } from '#tools/paging';

const anId = z.string().meta({ format: 'uuid' });

/** An id in an answer: always a UUID. */
export const uuid = (description: string) => anId.describe(description);

export const uuidOrNull = (description: string) => anId.nullable().describe(description);

const MOST_BLOCKERS = 50;

/** The arguments that the tools of the board share. */
export const boardFields = {
  project_id: ProjectId.describe('The project, by id (UUID), as list_projects gives it.'),
  task_id: WorkItemId.describe('The task, by id (UUID), as list_tasks gives it.'),
  attempt_id: AttemptId.describe('The attempt, by id (UUID), as list_task_attempts gives it.'),
  session_id: SessionId.describe('The session, by id (UUID), as list_task_attempts gives it.'),
  title: text(1, 255).describe('What is to be done, in one line: 1 to 255 characters.'),
  description: text(0, 50_000).describe(
    'What is to be done and why, as plain text: at most 50,000 characters; an empty text for none.',
  ),
  status: z
    .string()
    .min(1)
    .max(100)
    .describe('A column of the board: todo, inprogress, inreview, done or cancelled, unless the project has its own.'),
  priority: Priority.describe('How urgent it is: none, low, medium, high or urgent.'),
  blocked_by: z
    .array(WorkItemId)
    .max(MOST_BLOCKERS)
    .describe(
      'Tasks of the same project, by id (UUID), that must be completed before this one can begin: all of them, at most 50; an empty list for none.',
    ),
  claim_epoch: z
    .int()
    .min(1)
    .describe(
      'The epoch of your claim, as next_task gave it: proves that the task is still yours, and renews the lease.',
    ),
};

/** How a list that fits into a short answer is asked for in parts. */
export const shortPageInput = {
  ...pageInput,
  limit: pageInput.limit.describe('At most so many rows, 1 to 200. Without it, as many as fit into a short answer.'),
};
