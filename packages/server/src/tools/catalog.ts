import { addProject } from './admin/add-project.ts';
import { addRepo } from './admin/add-repo.ts';
import { addUser } from './admin/add-user.ts';
import { blockUser } from './admin/block-user.ts';
import { createAgent } from './admin/create-agent.ts';
import { createToken } from './admin/create-token.ts';
import { listAgents } from './admin/list-agents.ts';
import { listProjects } from './admin/list-projects.ts';
import { listRepos } from './admin/list-repos.ts';
import { listTokens } from './admin/list-tokens.ts';
import { listUsers } from './admin/list-users.ts';
import { revokeToken } from './admin/revoke-token.ts';
import { unblockUser } from './admin/unblock-user.ts';
import { verifyAudit } from './admin/verify-audit.ts';
import type { Definition } from './define.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import { addTask } from './todo/add-task.ts';
import { completeTask } from './todo/complete-task.ts';
import { deleteTask } from './todo/delete-task.ts';
import { listConversations } from './todo/list-conversations.ts';
import { listMessages } from './todo/list-messages.ts';
import { listTasks } from './todo/list-tasks.ts';
import { postMessages } from './todo/post-messages.ts';
import { updateTask } from './todo/update-task.ts';

/** Every tool of Errand by profile, in the order in which they are listed. */
export const TOOLS = {
  todo: [addTask, listTasks, completeTask, updateTask, deleteTask, postMessages, listConversations, listMessages],
  admin: [
    addUser,
    listUsers,
    blockUser,
    unblockUser,
    addProject,
    listProjects,
    addRepo,
    listRepos,
    createAgent,
    listAgents,
    createToken,
    listTokens,
    revokeToken,
    verifyAudit,
  ],
} as const satisfies Record<ProfileName, readonly Definition[]>;

/** A tool in its place: which profile it belongs to, and what it is called where all profiles meet. */
export interface Tool extends Definition {
  readonly profile: ProfileName;
  readonly full_name: string;
}

export const catalog: readonly Tool[] = (Object.keys(TOOLS) as ProfileName[]).flatMap((profile) =>
  TOOLS[profile].map(
    (tool: Definition): Tool => ({ ...tool, profile, full_name: `${PROFILES[profile].prefix}${tool.name}` }),
  ),
);
