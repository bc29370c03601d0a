import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { executionFields, feedBody } from './fields.ts';
import { entryOf } from './present.ts';

export const listFeed = defineTool({
  name: 'list_feed',
  title: 'List the feed of an execution',
  description: 'Lists the feed of a run, in the order in which it was reported.',
  scope: 'execution:report',
  effect: 'read',
  mcp: false,
  route: 'GET /executions/{execution_id}/feed',
  input: z.object({ execution_id: executionFields.execution_id, ...pageInput }),
  output: z.object({ entries: z.array(feedBody).describe('The entries, the first one first.'), ...pageOutput }),
  run: async ({ input: { execution_id, ...page }, work, services }) => {
    const { rows, ...more } = await services.runs.feed(work, execution_id, page);
    return { entries: rows.map(entryOf), ...more };
  },
});
