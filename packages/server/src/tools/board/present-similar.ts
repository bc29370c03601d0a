import { z } from 'zod';
import type { Services } from '#services/services';
import { shortName, uuid } from './fields.ts';

type Similar = Awaited<ReturnType<Services['board']['similar']['find']>>[number];

/** Open tasks that resemble a new one, in its answer. */
export const similarRows = z
  .array(
    z.object({
      task_id: uuid('Task (UUID).'),
      key: shortName('Short name; null for none.'),
      title: z.string().describe('Title.'),
    }),
  )
  .optional()
  .describe('Open tasks of the project that are like it: at most 3.');

export const similarOf = (similar: Similar | undefined): { similar?: z.output<typeof similarRows> } =>
  similar === undefined || similar.length === 0
    ? {}
    : { similar: similar.map(({ id, key, title }) => ({ task_id: id, key, title })) };
