import { z } from 'zod';
import { MAX_CONFLICTS } from '#domain/git-job';
import type { Services } from '#services/services';
import { uuid } from './fields.ts';
import { verdict } from './present.ts';

type Shipped = Awaited<ReturnType<Services['board']['gitJobs']['merge']>>;

/** The answer of a merge or rebase. */
export const shipOutput = {
  status: z.enum(['merged', 'conflicts', 'refused']).describe('merged, or why nothing was: conflicts or refused.'),
  commits: z
    .array(z.object({ repo_id: uuid('Repository (UUID).'), commit: z.string().describe('Hash.') }))
    .optional()
    .describe('New commits, by repository.'),
  conflicts: z
    .array(z.object({ repo_id: uuid('Repository (UUID).'), path: z.string().describe('File.') }))
    .optional()
    .describe(`Files that conflict: at most ${MAX_CONFLICTS}.`),
  reason: z.string().optional().describe('Why it was refused, and what to do.'),
  code: z.string().optional().describe('The reason in one word.'),
  notes: z.array(z.string()).optional().describe('What was left out, such as hooks.'),
  verdict,
  follow_up_id: uuid('Follow-up that resolves the conflicts (UUID).').optional(),
};

export const shipAnswer = ({ status, conflicts, ...shipped }: Shipped) => ({
  status: status === 'done' ? ('merged' as const) : status,
  ...(shipped.commits !== undefined && { commits: [...shipped.commits] }),
  ...(conflicts !== undefined && { conflicts: conflicts.slice(0, MAX_CONFLICTS) }),
  ...(shipped.reason !== undefined && { reason: shipped.reason }),
  ...(shipped.code !== undefined && { code: shipped.code }),
  ...(shipped.notes !== undefined && { notes: [...shipped.notes] }),
  verdict: shipped.verdict,
  ...(shipped.follow_up_id !== undefined && { follow_up_id: shipped.follow_up_id }),
});

export const resolve = z.boolean().optional().describe('true: have the agent resolve conflicts.');

/** The attempt that a merge or rebase has changed, for the audit trail; null when conflicts or a refusal left all as it was. */
export const shippedAttempt = (
  { attempt_id }: { readonly attempt_id: string },
  { status, follow_up_id }: { readonly status: string; readonly follow_up_id?: string | undefined },
) => (status === 'merged' || follow_up_id !== undefined ? { kind: 'attempt', id: attempt_id } : null);
