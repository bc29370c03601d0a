import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import type { createToken } from '#tools/admin/create-token';

type Issued = NonNullable<(typeof createToken)['types']>['output'];

export const SESSION_COOKIE = 'errand_session';
export const SESSION_DAYS = 30;

/** A token of the machine's owner for one browser: it reads and writes tasks, and administers nothing. */
export async function mintSession(gateway: Gateway): Promise<string> {
  const tool = gateway.find('create_token', 'admin');
  if (tool === undefined) throw new Error('The catalogue has no create_token.');
  const outcome = await gateway.dispatch({
    caller: await gateway.local(),
    tool,
    input: {
      kind: 'user',
      name: 'Browser',
      scopes: ['todo:read', 'todo:write', 'board:read'],
      expires_in: `${SESSION_DAYS}d`,
    },
    transport: 'web',
  });
  if (!outcome.ok) throw new ErrandError(outcome.status === 503 ? 'database_error' : 'internal', outcome.error.message);
  // The gateway has checked the answer against the output of create_token.
  return (JSON.parse(outcome.json) as Issued).token;
}
