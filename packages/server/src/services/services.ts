import { createAgentAccess } from './agent-access.ts';
import { createAgents } from './agents.ts';
import { createAudit } from './audit.ts';
import { createColumns } from './columns.ts';
import { createConversations } from './conversations.ts';
import { createMembers } from './members.ts';
import type { Ports } from './ports.ts';
import { createProjectImport } from './project-import.ts';
import { createProjects } from './projects.ts';
import type { TaskerAdapter } from './tasker/adapter.ts';
import { createTasker } from './tasker/tasker.ts';
import { createTodos } from './todos.ts';
import { createTokens } from './tokens.ts';
import { createUsers } from './users.ts';
import { createWorkspace } from './workspace.ts';

/** Every rule of the product, by subject. */
export const createServices = (ports: Ports, adapter: TaskerAdapter) => ({
  agentAccess: createAgentAccess(ports),
  agents: createAgents(ports),
  audit: createAudit(ports),
  columns: createColumns(ports, adapter),
  conversations: createConversations(ports),
  importProjects: createProjectImport(adapter),
  members: createMembers(ports),
  projects: createProjects(ports),
  tasker: createTasker(ports, adapter),
  todos: createTodos(ports),
  tokens: createTokens(ports),
  users: createUsers(ports),
  workspace: createWorkspace(),
});

export type Services = ReturnType<typeof createServices>;
