import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { adminFields } from './fields.ts';

export const listAgentCalls = defineTool({
  name: 'list_agent_calls',
  title: 'List the latest calls of an agent',
  description:
    'Lists the latest 100 calls of an agent on this server since it began, newest first, without any content.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /agents/{agent_id}/calls',
  cli: { command: 'agent calls', positionals: ['agent_id'] },
  input: z.object({ agent_id: adminFields.agent_id }),
  output: z.object({
    calls: z
      .array(
        z.object({
          tool: z.string().describe('Full name of the tool.'),
          transport: z.string().describe('How it was called.'),
          outcome: z.string().describe('"ok", or the code of the error.'),
          latency_ms: z.number().describe('How long it took.'),
          at: time.describe('When (RFC 3339).'),
        }),
      )
      .describe('Newest first.'),
    last_call_at: time
      .nullable()
      .describe(
        'When it called last (RFC 3339), also before the server began if the call is in the audit trail; null for never.',
      ),
    seen_at: time
      .nullable()
      .describe(
        'When its latest request came to this server (RFC 3339), also one that called no tool; null for none since the server began.',
      ),
  }),
  run: async ({ input, work, services }) => {
    const { calls, seen_at } = await services.operations.callsOf(work, input.agent_id);
    return {
      calls: calls.map(({ at, ...call }) => ({ ...call, at: rfc3339(at) })),
      last_call_at: rfc3339OrNull(await services.operations.lastCallOf(work, input.agent_id)),
      seen_at: rfc3339OrNull(seen_at),
    };
  },
});
