import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';

/** Into how many parts each time is divided. */
const PARTS: Readonly<Record<number, number>> = { 15: 15, 60: 60, 1440: 96, 10080: 168 };

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
      .refine((minutes) => minutes in PARTS, 'must be 15, 60, 1440 or 10080')
      .optional()
      .describe('Also how the last 15, 60, 1440 or 10080 minutes went.'),
  }),
  output: z.object({
    version: z.string().describe('Version of Errand.'),
    since: time.describe('When this server began (RFC 3339).'),
    memory_bytes: count('Memory in use.'),
    database: z
      .object({
        kind: z.enum(['sqlite', 'postgres']).describe('Kind.'),
        version: z.string().describe('Version.'),
        bytes: count('Size.'),
        read_ms: z.number().describe('How long a short read takes now.'),
        grows_bytes: z.int().nullable().describe('How much it grows in a day; null while that is not known.'),
        migrations: count('Schema steps that were applied.'),
        latest_migration: z.string().nullable().describe('The latest of them.'),
      })
      .describe('The database.'),
    disk: z
      .object({ free_bytes: count('Free.'), total_bytes: count('In all.') })
      .nullable()
      .describe('The disk of the database; null where it is on another machine.'),
    events: z
      .object({
        listeners: count('Open event streams of this server.'),
        backlog: count('Changes that the slowest of them has still to hear of.'),
        lag_ms: z.number().nullable().describe('How long a change takes until they hear of it; null before the first.'),
      })
      .describe('How changes reach those who follow them.'),
    queue: z
      .object({
        queued: count('Runs that wait.'),
        running: count('Runs that go on.'),
        oldest_queued_at: time.nullable().describe('Since when the oldest waits (RFC 3339); null for none.'),
        workers: count('Workers that are alive.'),
        places: count('Runs that they take at once.'),
      })
      .describe('Runs.'),
    event_head: count('Number of the latest event.'),
    tool_count: count('How many tools there are.'),
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
      .array(
        z.object({
          code: z.string().describe('Code.'),
          count: count('Calls that failed with it.'),
          is_fault: z.boolean().describe('Whether the server failed; otherwise it refused.'),
        }),
      )
      .describe('Failures and refusals by code.'),
    spans: z
      .array(
        z.object({
          at: time.describe('When this part of the time began (RFC 3339).'),
          calls: count('Calls.'),
          mcp: count('Calls over MCP.'),
          failed: count('Calls that failed or were refused.'),
          faults: count('Calls that failed because the server did.'),
          p50_ms: z.number().describe('Mean of the medians of its minutes.'),
          p99_ms: z.number().describe('99th percentile of its slowest minute.'),
          queued: z.int().nullable().describe('The most runs that waited; null when it was not measured.'),
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
          calls: count('Calls since this server began.'),
        }),
      )
      .describe('MCP clients that called or have a session, most calls first.'),
  }),
  run: async ({ input: { minutes }, work, services }) => {
    const { version, calls, queued, queue, ...figures } = await services.operations.show(work);
    const parts = minutes === undefined ? 0 : (PARTS[minutes] ?? 1);
    const waited = minutes === undefined ? [] : queued(minutes, parts);
    return {
      version,
      since: rfc3339(calls.since),
      memory_bytes: process.memoryUsage.rss(),
      database: figures.database,
      disk: figures.disk,
      events: figures.events,
      queue: { ...queue, oldest_queued_at: rfc3339OrNull(queue.oldest_queued_at) },
      event_head: figures.event_head,
      tool_count: figures.tool_count,
      tools: [...calls.tools()],
      errors: [...calls.outcomes()],
      ...(minutes !== undefined && {
        spans: calls
          .spans(minutes, parts)
          .map(({ at, ...span }, part) => ({ at: rfc3339(at), ...span, queued: waited[part] ?? null })),
      }),
      clients: [...figures.clients],
    };
  },
});
