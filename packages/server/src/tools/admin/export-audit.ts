import { z } from 'zod';
import { defineTool } from '#tools/define';
import { auditFields, auditRow } from './fields.ts';

export const exportAudit = defineTool({
  name: 'export_audit',
  title: 'Export the audit trail',
  description:
    'Exports the whole audit trail in parts, oldest first, in a form that other programs can verify. The last part has the head.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /audit/export',
  cli: { command: 'audit export', walk: { rows: 'entries', from: 'after', next: 'next_after', last: 'head' } },
  input: z.object({
    after: z.int().optional().describe('Only entries after this number. Default: from the first.'),
    limit: z.int().min(1).max(1_000).default(200).describe('At most so many entries, 1 to 1000; 200 unless given.'),
  }),
  output: z.object({
    entries: z
      .array(
        z.object({
          seq: z.int().describe('The number of the entry.'),
          prev_hash: z.string().describe('The hash of the entry before it.'),
          hash: z.string().describe('SHA-256 over `hashed`, read as JSON and written again without spaces or escapes.'),
          hashed: z
            .string()
            .nullable()
            .describe('The list of values that the hash covers, as JSON; null for an entry of another workspace.'),
          entry: z
            .object(auditFields)
            .nullable()
            .describe('The same values by name; null for an entry of another workspace.'),
        }),
      )
      .describe('The entries, oldest first.'),
    next_after: z.int().optional().describe('Present when there are more: pass it as after.'),
    head: z
      .object({
        seq: z.int().describe('The number of the last entry.'),
        hash: z.string().describe('The hash of the last entry.'),
      })
      .nullable()
      .optional()
      .describe('The last entry of the trail; only in the last part. Null if somebody has removed it.'),
  }),
  run: async ({ input: { after, limit }, work, services }) => {
    const { events, next_after, head } = await services.audit.part(work, after ?? null, limit);
    const entries = events.map(({ event, hashed }) => ({
      seq: event.seq,
      prev_hash: event.prev_hash,
      hash: event.hash,
      hashed,
      entry: hashed === null ? null : auditRow(event),
    }));
    return next_after === null ? { entries, head } : { entries, next_after };
  },
});
