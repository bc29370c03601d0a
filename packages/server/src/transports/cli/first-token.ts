import type { Gateway } from '#gateway/gateway';

type Answer = Readonly<Record<string, unknown>>;

/** Makes an agent of the owner and gives out its token, when the workspace has no token at all yet. */
export async function issueFirstToken(
  gateway: Gateway,
  { owner_id, inbox_id }: { readonly owner_id: string; readonly inbox_id: string },
): Promise<string | null> {
  const caller = await gateway.local();

  async function ask(name: string, input: unknown): Promise<Answer> {
    const tool = gateway.find(name, 'admin');
    if (tool === undefined) throw new Error(`The catalogue has no ${name}.`);
    const outcome = await gateway.dispatch({ caller, tool, input, transport: 'cli' });
    // The gateway has checked the answer: it is an object.
    return outcome.ok ? (JSON.parse(outcome.json) as Answer) : {};
  }

  const { tokens } = await ask('list_tokens', {});
  if (!Array.isArray(tokens) || tokens.length > 0) return null;
  const scopes = ['todo:read', 'todo:write'];
  const { token } = await ask('create_agent', { name: 'first agent', owner_id, project_ids: [inbox_id], scopes });
  return typeof token === 'string' ? token : null;
}
