import { z } from 'zod';
import { UserName } from '#domain/app';
import { WorkItemId } from '#domain/ids';
import { text } from '#domain/text';

/** The fields that the todo tools share. */
export const todoFields = {
  user_id: UserName.describe(
    'The user whose todo list it is: "me" for the user your token belongs to, or an id that it may name.',
  ),
  task_id: WorkItemId.describe('The task, by its id (UUID) as add_task and list_tasks give it.'),
  title: text(1, 200).describe('What is to be done: 1 to 200 characters.'),
  description: text(0, 1000).describe('More about it: at most 1000 characters.'),
};

/** What the todo tools answer about a task. */
export const todoAnswer = {
  task_id: z.string().describe('The id of the task (UUID).'),
  title: z.string().describe('The title of the task.'),
  description: z.string().nullable().describe('The description of the task; null when it has none.'),
  completed: z.boolean().describe('Whether the task is completed.'),
};
