import type { Attempt, QueuedPrompt } from '#domain/attempt';
import type { Transaction } from '#store/store';

type Asker = Pick<QueuedPrompt, 'user_id' | 'agent_id'>;

/** Whether the person or agent who asked for a run may still run agents in the project: the right may end while the run waits. */
export async function mayRun(
  tx: Transaction,
  { workspace_id, project_id }: Pick<Attempt, 'workspace_id' | 'project_id'>,
  { user_id, agent_id }: Asker,
): Promise<boolean> {
  const user = await tx.users.find(workspace_id, user_id);
  if (user?.status !== 'active') return false;
  if (agent_id !== null) {
    const grants = await tx.agents.grants(workspace_id, agent_id);
    return grants.some((grant) => grant.project_id === project_id && grant.scopes.includes('board:run'));
  }
  if (user.role === 'admin') return true;
  const members = await tx.projects.members(workspace_id, project_id);
  return members.some((member) => member.user_id === user_id && member.role !== 'guest');
}
