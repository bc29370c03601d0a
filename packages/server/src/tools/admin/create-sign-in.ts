import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { adminFields } from './fields.ts';

export const createSignIn = defineTool({
  name: 'create_sign_in',
  title: 'Create a sign-in key',
  description:
    'Creates the key of a link that signs one browser in: /?key=KEY on any server of this database. The link works once.',
  scope: 'admin',
  effect: 'create',
  secret: true,
  route: 'POST /sign-ins',
  cli: { command: 'sign-in create', flags: { user_id: 'user' } },
  input: z.object({
    user_id: adminFields.user_id.optional().describe('The user that the link signs in, by name or id. Default: you.'),
  }),
  output: z.object({
    key: z.string().describe('The key itself. It is shown this once and cannot be read again.'),
    user_id: z.string().describe('Whom it signs in, by id (UUID).'),
    expires_at: time.describe('When the link stops working, if nobody has used it (RFC 3339).'),
  }),
  entity: (_input, { user_id }) => ({ kind: 'user', id: user_id }),
  event: 'updated',
  run: async ({ input, work, services }) => {
    const { key, user_id, expires_at } = await services.signIns.create(work, input.user_id);
    return { key, user_id, expires_at: rfc3339(expires_at) };
  },
});
