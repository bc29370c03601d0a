import { z } from 'zod';
import { text } from '#domain/text';
import { MAX_DESCRIPTION_CHARACTERS, MAX_TITLE_CHARACTERS } from '#domain/work-item';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { pullRequestRow } from './present-parts.ts';

export const openPullRequest = defineTool({
  name: 'open_pull_request',
  title: 'Open a pull request',
  description:
    'Pushes the branch of an attempt and opens a pull or merge request for it, one for each repository. Asked again, it pushes what is new.',
  scope: 'board:merge',
  effect: 'create',
  outside: true,
  open_world: true,
  mcp: false,
  route: 'POST /board/attempts/{attempt_id}/pull-request',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    title: text(1, MAX_TITLE_CHARACTERS).optional().describe('One line; that of the task unless given.'),
    body: text(0, MAX_DESCRIPTION_CHARACTERS)
      .optional()
      .describe('What and why; the last words of the agent unless given.'),
    draft: z.boolean().optional().describe('true: as a draft.'),
  }),
  output: z.object({
    status: z.enum(['opened', 'refused']).describe('opened or refused.'),
    pull_requests: z.array(pullRequestRow).describe('Its requests, one for each repository with changes.'),
    reason: z.string().optional().describe('Why it was refused, and what to do.'),
    code: z.string().optional().describe('The reason in one word.'),
  }),
  event: 'own',
  entity: ({ attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  run: async ({ input, work, services }) => {
    const { status, pull_requests = [], reason, code } = await services.board.gitJobs.openPullRequest(work, input);
    return {
      status: status === 'done' ? ('opened' as const) : ('refused' as const),
      pull_requests: pull_requests.map(({ url, number, state, repo_id }) => ({ url, number, state, repo_id })),
      ...(reason !== undefined && { reason }),
      ...(code !== undefined && { code }),
    };
  },
});
