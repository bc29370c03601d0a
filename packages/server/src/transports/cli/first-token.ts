import type { Gateway } from '#gateway/gateway';
import { askTool } from '#transports/ask-tool';
import { EVERYDAY_MOVES, EVERYDAY_SCOPES } from './everyday-scopes.ts';

/** Creates an agent of the owner and issues its token, when the workspace has no token yet. */
export async function issueFirstToken(
  gateway: Gateway,
  { owner_id, inbox_id }: { readonly owner_id: string; readonly inbox_id: string },
): Promise<string | null> {
  const asked = { profile: 'admin', caller: await gateway.local(), transport: 'cli' } as const;
  const known = await askTool(gateway, { ...asked, name: 'list_tokens', input: { limit: 1 } });
  if (!known.ok || known.value.tokens.length > 0) return null;
  const made = await askTool(gateway, {
    ...asked,
    name: 'create_agent',
    input: { name: 'first agent', owner_id, project_ids: [inbox_id], scopes: [...EVERYDAY_SCOPES], ...EVERYDAY_MOVES },
  });
  return made.ok ? made.value.token : null;
}
