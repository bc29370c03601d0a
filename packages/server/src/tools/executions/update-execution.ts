import { z } from 'zod';
import { text } from '#domain/text';
import { Usage } from '#domain/usage';
import { defineTool } from '#tools/define';
import { executionBody, executionFields } from './fields.ts';
import { executionOf } from './present.ts';

export const updateExecution = defineTool({
  name: 'update_execution',
  title: 'Update an execution',
  description: 'Changes a run: its session, its folder, its status, its cost. A run that has ended stays ended.',
  scope: 'execution:report',
  effect: 'update',
  idempotent: true,
  mcp: false,
  route: 'PATCH /executions/{execution_id}',
  lane: 'execution_id',
  // What a run costs counts for the budgets of its agent too, whose runs are in many projects.
  beyond_lane: ['usage'],
  input: z.object({
    execution_id: executionFields.execution_id,
    session_id: executionFields.session_id.optional().describe('What the agent itself calls its session.'),
    worktree_path: executionFields.worktree_path.optional().describe('The folder that the agent works in.'),
    status: executionFields.status
      .optional()
      .describe('The status of the run. A status that ends the run also ends its running steps.'),
    reason: text(1, 500).optional().describe('Why it stands there, where that is not plain.'),
    summary: text(1, 4_000).optional().describe('What came of it.'),
    usage: Usage.optional().describe('What it has cost so far.'),
  }),
  recheck: ({ input, work, services }) => services.runs.recheck(work, input.execution_id),
  output: executionBody.extend({
    warning: z.string().optional().describe('That the budget of the run is nearly used; said once.'),
  }),
  event: 'own',
  entity: ({ execution_id }) => ({ kind: 'execution', id: execution_id }),
  run: async ({ input: { execution_id, ...patch }, work, services }) => {
    const { warning, ...run } = await services.runs.update(work, execution_id, patch);
    return { ...executionOf(run), ...(warning !== undefined && { warning }) };
  },
});
