import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields, shortName } from './fields.ts';

const day = z.iso.date('must be a day such as 2026-01-31');
const MAX_ROWS = 200;

const spent = {
  cost_usd: z.number().describe('US dollars, as agents report them.'),
  tokens: z.int().describe('Tokens given and answered.'),
  minutes: z.number().describe('Minutes that runs went on.'),
  runs: z.int().describe('How many runs.'),
};

export const reportCosts = defineTool({
  name: 'report_costs',
  title: 'Report costs',
  description: 'Adds up what runs used, by task, agent, day or project.',
  scope: 'board:read',
  effect: 'read',
  mcp: false,
  project: 'project_id',
  route: 'GET /board/costs',
  input: z.object({
    by: z
      .enum(['task', 'agent', 'day', 'project'])
      .default('task')
      .describe('What to add up by: task, agent, day or project.'),
    project_id: boardFields.project_id.optional(),
    from: day.optional().describe('The first day (UTC), such as 2026-01-01; 30 days unless given.'),
    to: day.optional().describe('The last day (UTC); today unless given.'),
    limit: z.int().min(1).max(MAX_ROWS).default(50).describe(`At most so many rows, 1 to ${MAX_ROWS}.`),
  }),
  output: z.object({
    from: z.string().describe('The first day.'),
    to: z.string().describe('The last day.'),
    rows: z
      .array(
        z.object({
          subject: z.string().describe('Task, agent or project (UUID), day, or executor:NAME; "other" for the rest.'),
          name: z.string().nullable().describe('Its title or name; null for a day.'),
          key: shortName('Its short name; null for none.'),
          ...spent,
        }),
      )
      .describe('The dearest first; by day the latest first.'),
    total: z.object(spent).describe('All of it, also what the rows leave out.'),
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...report } = await services.board.costs(work, input);
    return { ...report, rows: [...rows] };
  },
});
