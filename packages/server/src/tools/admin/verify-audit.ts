import { z } from 'zod';
import { defineTool } from '#tools/define';

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;

/** SEQ:HASH, as this tool gives it. */
function headOf(text: string | undefined) {
  const [, seq, hash] = HEAD.exec(text ?? '') ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash };
}

export const verifyAudit = defineTool({
  name: 'verify_audit',
  title: 'Verify the audit trail',
  description:
    'Checks that no entry of the audit trail was changed, removed, inserted, reordered or cut off. With a head that you noted elsewhere, it also finds a trail that was completely rewritten.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /audit/verification',
  cli: { command: 'audit verify', succeeds: ({ intact }) => intact === true },
  input: z.object({
    head: z
      .string()
      .regex(HEAD, 'must be the number of an entry and its hash, SEQ:HASH')
      .optional()
      .describe('The head of an earlier verification or export, as SEQ:HASH: the trail must still have that entry.'),
  }),
  output: z.object({
    intact: z.boolean().describe('Whether every entry is as it was written.'),
    entries: z.int().describe('How many entries were found in order.'),
    first_bad_seq: z
      .int()
      .nullable()
      .describe('The number of the first bad entry; null when all are good, or when only the head is missing.'),
    problem: z.string().nullable().describe('What is wrong; null when nothing is.'),
    head: z
      .string()
      .nullable()
      .describe('The last entry, as SEQ:HASH: note it elsewhere. Null if the trail is not intact.'),
  }),
  run: async ({ input, work, services }) => {
    const { head, ...verification } = await services.audit.verify(work, headOf(input.head));
    return {
      intact: verification.problem === null,
      ...verification,
      head: head === null ? null : `${head.seq}:${head.hash}`,
    };
  },
});
