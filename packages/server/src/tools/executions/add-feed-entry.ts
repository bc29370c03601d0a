import { z } from 'zod';
import { FeedKind } from '#domain/run';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { executionFields, feedBody } from './fields.ts';
import { entryOf } from './present.ts';

export const addFeedEntry = defineTool({
  name: 'add_feed_entry',
  title: 'Add to the feed of an execution',
  description: 'Adds an entry to the feed of a run: what was said, called, run or written.',
  scope: 'execution:report',
  effect: 'create',
  mcp: false,
  route: 'POST /executions/{execution_id}/feed',
  lane: 'execution_id',
  input: z.object({
    execution_id: executionFields.execution_id,
    kind: FeedKind.exclude(['status']).describe('What kind of thing happened.'),
    text: text(1, 8_000).describe('What happened, in words.'),
  }),
  recheck: ({ input, work, services }) => services.runs.recheck(work, input.execution_id),
  output: feedBody,
  event: 'own',
  entity: ({ execution_id }) => ({ kind: 'execution', id: execution_id }),
  run: async ({ input: { execution_id, kind, text: words }, work, services }) =>
    entryOf(await services.runs.append(work, execution_id, { kind, text: words })),
});
