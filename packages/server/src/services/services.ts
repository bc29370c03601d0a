import { createAgentAccess } from './agent-access.ts';
import { createAgents } from './agents.ts';
import { createAppUsers } from './app-users.ts';
import { createAudit } from './audit.ts';
import { createBoard } from './board/board.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import { createConversations } from './conversations.ts';
import { createFirstAdmin } from './first-admin.ts';
import { createLabels } from './labels.ts';
import { createMe } from './me.ts';
import { createMembers } from './members.ts';
import { createOperations } from './operations.ts';
import { createPasswords } from './passwords.ts';
import type { Ports } from './ports.ts';
import { createProjectImport } from './project-import.ts';
import { createProjects } from './projects.ts';
import { createRuns } from './runs/runs.ts';
import { createSignIns } from './sign-ins.ts';
import { createStates } from './states.ts';
import type { ProjectSource, TaskerAdapter } from './tasker/adapter.ts';
import { createTasker } from './tasker/tasker.ts';
import { createTodos } from './todos.ts';
import { createTokens } from './tokens.ts';
import { createUsers } from './users.ts';
import { createWorkspace } from './workspace.ts';

/** All rules of the product, by subject. `source` has the projects of another tracker; null without one. */
export const createServices = (ports: Ports, adapter: TaskerAdapter, source: ProjectSource | null) => ({
  agentAccess: createAgentAccess(ports),
  agents: createAgents(ports),
  appUsers: createAppUsers(ports),
  audit: createAudit(ports),
  board: createBoard(ports, adapter),
  browserSessions: createBrowserSessions(),
  conversations: createConversations(ports),
  runs: createRuns(ports, adapter),
  importProjects: createProjectImport(source),
  labels: createLabels(ports, adapter),
  me: createMe(ports),
  members: createMembers(ports),
  operations: createOperations(ports),
  passwords: createPasswords(ports),
  firstAdmin: createFirstAdmin(ports),
  projects: createProjects(ports),
  signIns: createSignIns(ports),
  states: createStates(ports, adapter),
  tasker: createTasker(ports, adapter),
  todos: createTodos(ports),
  tokens: createTokens(ports),
  users: createUsers(ports),
  workspace: createWorkspace(),
});

export type Services = ReturnType<typeof createServices>;
