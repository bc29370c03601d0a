import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import { askTool } from '#transports/ask-tool';

export const SESSION_COOKIE = 'errand_session';
export const SESSION_DAYS = 30;

/** A token of the machine's owner for one browser: it reads and writes tasks, and administers nothing. */
export async function mintSession(gateway: Gateway): Promise<string> {
  const made = await askTool(gateway, {
    profile: 'admin',
    name: 'create_token',
    caller: await gateway.local(),
    input: {
      kind: 'user',
      name: 'Browser',
      scopes: ['todo:read', 'todo:write', 'board:read'],
      expires_in: `${SESSION_DAYS}d`,
    },
    transport: 'web',
  });
  if (made.ok) return made.value.token;
  throw new ErrandError(made.status === 503 ? 'database_error' : 'internal', made.error.message);
}
