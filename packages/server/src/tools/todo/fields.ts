import { z } from 'zod';
import { UserName } from '#domain/app';
import { WorkItemId } from '#domain/ids';
import { text } from '#domain/text';

/** The fields that the todo tools share. */
export const todoFields = {
  user_id: UserName.describe('Whose todo list: "me" for the user of your token, or the id of a user that it may name.'),
  task_id: WorkItemId.describe('The id of the todo, from adding or listing it; not a task of the board.'),
  title: text(1, 200).describe('What is to be done: 1 to 200 characters.'),
  description: text(0, 1000).describe('More about it: at most 1000 characters.'),
};

/** What the todo tools answer about a task. */
export const todoAnswer = {
  task_id: z.string().describe('Task (UUID).'),
  title: z.string().describe('Title.'),
  description: z.string().nullable().describe('Description; null when it has none.'),
  completed: z.boolean().describe('Whether it is completed.'),
};
