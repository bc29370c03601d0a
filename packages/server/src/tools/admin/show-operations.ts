import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';

/** Into how many parts each time is divided. */
const PARTS: Readonly<Record<number, number>> = { 15: 15, 60: 60, 1440: 96 };

const count = (what: string) => z.int().describe(what);

export const showOperations = defineTool({
  name: 'show_operations',
  title: 'Show how the server runs',
  description: 'Shows the database, the queue, the calls of this server since it began, and the clients that connect.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /operations',
  cli: { command: 'workspace operations' },
  input: z.object({
    minutes: z
      .int()
      .refine((minutes) => minutes in PARTS, 'must be 15, 60 or 1440')
      .optional()
      .describe('Also how the calls of the last 15, 60 or 1440 minutes went.'),
  }),
  output: z.object({
    version: z.string().describe('Version of Errand.'),
    since: time.describe('When this server began (RFC 3339).'),
    memory_bytes: count('Memory in use.'),
    database: z
      .object({
        kind: z.enum(['sqlite', 'postgres']).describe('Kind.'),
        bytes: count('Size.'),
        migrations: count('Schema steps that were applied.'),
        latest_migration: z.string().nullable().describe('The latest of them.'),
      })
      .describe('The database.'),
    queue: z
      .object({
        queued: count('Runs that wait.'),
        running: count('Runs that go on.'),
        oldest_queued_at: time.nullable().describe('Since when the oldest waits (RFC 3339); null for none.'),
        workers: count('Workers that are alive.'),
      })
      .describe('Runs.'),
    event_head: count('Number of the latest event.'),
    tools: z
      .array(
        z.object({
          tool: z.string().describe('Full name.'),
          calls: count('Calls.'),
          failed: count('Calls that failed.'),
          p50_ms: z.number().describe('Median of the latest 512 calls.'),
          p99_ms: z.number().describe('99th percentile of the same.'),
        }),
      )
      .describe('Calls by tool.'),
    errors: z
      .array(z.object({ code: z.string().describe('Code.'), count: count('Calls that failed with it.') }))
      .describe('Failures and refusals by code.'),
    spans: z
      .array(
        z.object({
          at: time.describe('When this part of the time began (RFC 3339).'),
          calls: count('Calls.'),
          failed: count('Calls that failed.'),
          p99_ms: z.number().describe('99th percentile of its slowest minute.'),
        }),
      )
      .optional()
      .describe('The last minutes in equal parts, oldest first; only with minutes.'),
    clients: z
      .array(
        z.object({
          name: z.string().nullable().describe('Name; null for none given.'),
          version: z.string().nullable().describe('Version; null for none given.'),
          protocol: z.string().describe('Version of MCP.'),
          count: count('Sessions.'),
        }),
      )
      .describe('MCP clients with a session, most first.'),
  }),
  run: async ({ input: { minutes }, work, services }) => {
    const { version, calls, database, queue, event_head, workers, clients } = await services.operations.show(work);
    return {
      version,
      since: rfc3339(calls.since),
      memory_bytes: process.memoryUsage.rss(),
      database,
      queue: { ...queue, oldest_queued_at: rfc3339OrNull(queue.oldest_queued_at), workers },
      event_head,
      tools: [...calls.tools()],
      errors: [...calls.outcomes()],
      ...(minutes !== undefined && {
        spans: calls.spans(minutes, PARTS[minutes] ?? 1).map(({ at, ...span }) => ({ at: rfc3339(at), ...span })),
      }),
      clients: [...clients],
    };
  },
});
