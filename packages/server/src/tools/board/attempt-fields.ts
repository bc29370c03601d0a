import { z } from 'zod';
import { ChangedFile, MAX_CHANGED_FILES } from '#domain/attempt';
import { RunStatus } from '#domain/run';
import { text } from '#domain/text';
import { Usage } from '#domain/usage';
import { uuid } from './fields.ts';

/** The longest message to an agent, in characters. */
const MAX_PROMPT_CHARACTERS = 100_000;

export const prompt = text(1, MAX_PROMPT_CHARACTERS);

export const variant = z.string().min(1).max(100);

/** Further fields of a call that starts a run, once the run has ended. Only an MCP task waits that long. */
export const outcome = {
  run_status: RunStatus.exclude(['queued', 'running'])
    .optional()
    .describe('As an MCP task only, like all below: how the run ended, as completed, failed, killed or interrupted.'),
  reason: z.string().optional().describe('Why it ended so.'),
  summary: z.string().optional().describe('Last words of the agent.'),
  branch: z.string().optional().describe('Git branch with the changes.'),
  commits: z
    .array(z.object({ repo_id: uuid('Repository (UUID).'), commit: z.string().describe('Hash.') }))
    .optional()
    .describe('Newest commits.'),
  changed_files: z
    .array(ChangedFile)
    .max(MAX_CHANGED_FILES)
    .optional()
    .describe(`Changed files: at most ${MAX_CHANGED_FILES}.`),
  usage: Usage.optional().describe('Cost.'),
};
