import { createAgents } from './agents.ts';
import { createAudit } from './audit.ts';
import { createConversations } from './conversations.ts';
import type { Ports } from './ports.ts';
import { createProjects } from './projects.ts';
import { createTodos } from './todos.ts';
import { createTokens } from './tokens.ts';
import { createUsers } from './users.ts';

/** Every rule of the product, by subject. */
export const createServices = (ports: Ports) => ({
  agents: createAgents(ports),
  audit: createAudit(),
  conversations: createConversations(ports),
  projects: createProjects(ports),
  todos: createTodos(ports),
  tokens: createTokens(ports),
  users: createUsers(ports),
});

export type Services = ReturnType<typeof createServices>;
