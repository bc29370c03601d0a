import type { GitJob } from '#domain/git-job';
import type { Transaction } from '#store/store';

/** Whether the person or agent who asked for a git job may still do that: the right may end while the job waits. */
export async function mayShip(
  tx: Transaction,
  { workspace_id, project_id, user_id, agent_id, kind }: GitJob,
): Promise<boolean> {
  const user = await tx.users.find(workspace_id, user_id);
  if (user?.status !== 'active') return false;
  if (agent_id !== null) {
    const grants = await tx.agents.grants(workspace_id, agent_id);
    return grants.some(
      (grant) =>
        grant.project_id === project_id &&
        grant.scopes.includes('board:merge') &&
        (kind !== 'merge' || grant.can_complete),
    );
  }
  if (user.role === 'admin') return true;
  const members = await tx.projects.members(workspace_id, project_id);
  return members.some((member) => member.user_id === user_id && member.role !== 'guest');
}
