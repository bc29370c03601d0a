import type { Fields, TwoServers } from '../../e2e/two-servers/two-servers.ts';

/** A token that is about to stop working, with two calls that it may make. */
export interface Victim {
  readonly token: string;
  readonly read: readonly [string, object];
  readonly write: readonly [string, object];
}

export interface Case {
  readonly name: string;
  readonly victims: readonly Victim[];
  /** Calls a tool that ends all of these tokens. */
  readonly end: readonly [string, object];
}

const BOARD = ['board:read', 'board:write'];
const TODO = ['todo:read', 'todo:write'];
const onProject = (token: unknown, project_id: string): Victim => ({
  token: String(token),
  read: ['list_tasks', { project_id }],
  write: ['create_task', { project_id, title: 'After the end' }],
});
const onTodos = (token: unknown): Victim => ({
  token: String(token),
  read: ['todo_list_tasks', { user_id: 'me' }],
  write: ['todo_add_task', { user_id: 'me', title: 'After the end' }],
});

type Make = (ask: TwoServers['ask'], project_id: string, name: string) => Promise<Case>;

const anAgent = (ask: TwoServers['ask'], project_id: string, more: object): Promise<Fields> =>
  ask('admin_create_agent', { scopes: BOARD, project_ids: [project_id], ...more });

/** The ways in which tokens end. */
export const CASES: readonly Make[] = [
  async (ask, _, name) => {
    const { token_id, token } = await ask('admin_create_token', { kind: 'user', name, scopes: TODO });
    return { name: 'revoked token', victims: [onTodos(token)], end: ['admin_revoke_token', { token_id }] };
  },
  async (ask, project_id, name) => {
    const { agent_id, token } = await anAgent(ask, project_id, { name });
    return {
      name: 'revoked agent',
      victims: [onProject(token, project_id)],
      end: ['admin_revoke_agent', { agent_id }],
    };
  },
  async (ask, project_id, name) => {
    const { user_id } = await ask('admin_add_user', { name });
    await ask('admin_add_member', { project_id, user_id, role: 'member' });
    const own = await ask('admin_create_token', { kind: 'user', name, scopes: TODO, user_id });
    const agent = await anAgent(ask, project_id, { name, owner_id: user_id });
    const victims = [onTodos(own.token), onProject(agent.token, project_id)];
    return { name: 'blocked owner', victims, end: ['admin_block_user', { user_id }] };
  },
];
