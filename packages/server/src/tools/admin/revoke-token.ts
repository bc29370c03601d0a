import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const revokeToken = defineTool({
  name: 'revoke_token',
  title: 'Revoke a token',
  description: 'Ends a token at once: the next request with it is refused.',
  scope: 'admin',
  effect: 'delete',
  idempotent: true,
  route: 'DELETE /tokens/{token_id}',
  cli: { command: 'token revoke', positionals: ['token_id'] },
  input: z.object({ token_id: adminFields.token_id }),
  output: z.object({
    token_id: z.string().describe('The id of the token (UUID).'),
    status: z.literal('revoked').describe('Always "revoked".'),
  }),
  entity: ({ token_id }) => ({ kind: 'token', id: token_id }),
  run: async ({ input, work, services }) => {
    await services.tokens.revoke(work, input.token_id);
    return { token_id: input.token_id, status: 'revoked' as const };
  },
});
