import { z } from 'zod';
import { defineTool } from '#tools/define';

export const verifyAudit = defineTool({
  name: 'verify_audit',
  title: 'Verify the audit trail',
  description: 'Checks that no entry of the audit trail was changed, removed, inserted, reordered or cut off.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /audit/verification',
  cli: { command: 'audit verify', succeeds: ({ intact }) => intact === true },
  input: z.object({}),
  output: z.object({
    intact: z.boolean().describe('Whether every entry is as it was written.'),
    entries: z.int().describe('How many entries were found in order.'),
    first_bad_seq: z.int().nullable().describe('The number of the first bad entry; null when all are good.'),
    problem: z.string().nullable().describe('What is wrong with it; null when all are good.'),
  }),
  run: async ({ work, services }) => {
    const verification = await services.audit.verify(work);
    return { intact: verification.first_bad_seq === null, ...verification };
  },
});
