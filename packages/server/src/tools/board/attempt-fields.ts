import { z } from 'zod';
import { ChangedFile, MOST_CHANGED_FILES } from '#domain/attempt';
import { ExecutionStatus, Usage } from '#domain/execution';
import { text } from '#domain/text';
import { uuid } from './fields.ts';

/** The longest message to an agent, in characters. */
const MOST_PROMPT = 100_000;

export const prompt = text(1, MOST_PROMPT);

export const variant = z.string().min(1).max(100);

/** What a call that starts a run answers besides, once the run has ended: only as an MCP task, which lasts as long. */
export const outcome = {
  run_status: ExecutionStatus.exclude(['queued', 'running'])
    .optional()
    .describe(
      'How the run ended: completed, failed, killed or interrupted. Here and below: only when called as an MCP task, which ends with the run.',
    ),
  reason: z.string().optional().describe('Why it ended so, where that is not plain.'),
  summary: z.string().optional().describe('What the agent said at last.'),
  branch: z.string().optional().describe('The git branch that holds the changes.'),
  commits: z
    .array(
      z.object({ repo_id: uuid('The repository (UUID).'), commit: z.string().describe('The hash of the commit.') }),
    )
    .optional()
    .describe('Where the branch ends now, in each repository.'),
  changed_files: z
    .array(ChangedFile)
    .max(MOST_CHANGED_FILES)
    .optional()
    .describe(`What the branch changes: at most ${MOST_CHANGED_FILES} files.`),
  usage: Usage.optional().describe('What the run has cost.'),
};
