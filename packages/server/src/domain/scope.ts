import { z } from 'zod';

/** The scopes that a token can hold. This is the only list: every tool requires at least one of them. */
export const SCOPES = {
  'workspace:read': 'Read the operating rules of the workspace.',
  'project:read': 'Read granted projects: states, labels, members.',
  'project:member:add_existing': 'Add a workspace member to a granted project.',
  'issue:read': 'Read work items of granted projects.',
  'issue:create': 'Create work items.',
  'issue:update': 'Change fields of work items.',
  'issue:move': 'Change the state of work items.',
  'issue:label': 'Set labels of work items.',
  'issue:assign': 'Set assignees of work items.',
  'issue:comment': 'Comment on work items and report work sessions.',
  'issue:structured_blocks:write': 'Change structured blocks of work items.',
  'todo:read': 'Read todo lists.',
  'todo:write': 'Change todo lists.',
  'todo:act_as': 'Name other users in todo calls, as far as the token lists them.',
  'board:read': 'Read the board.',
  'board:write': 'Change tasks on the board.',
  'board:run': 'Start and steer attempts.',
  'board:delete': 'Delete tasks of the board.',
  'board:merge': 'Merge attempts, rebase them and open pull requests.',
  'execution:report': 'Report executions and their steps.',
  admin: 'Administer users, projects, agents and tokens.',
} as const;

export type Scope = keyof typeof SCOPES;

// The names of a constant object are its keys, and it has one at least.
export const ALL_SCOPES = Object.keys(SCOPES) as [Scope, ...Scope[]];

export const Scope = z.enum(ALL_SCOPES);

/** Scopes that are granted per project. */
export const PROJECT_SCOPES: ReadonlySet<Scope> = new Set(
  ALL_SCOPES.filter((scope) => /^(?:project|issue|board):/.test(scope)),
);

/** The scopes that a guest of a project can use there, even if the token holds more. */
export const GUEST_SCOPES: ReadonlySet<Scope> = new Set<Scope>([
  'project:read',
  'issue:read',
  'issue:comment',
  'board:read',
]);

/** Only people delete and administer. A grant cannot give these scopes to an agent. */
export const NEVER_FOR_AGENTS: ReadonlySet<Scope> = new Set<Scope>(['board:delete', 'admin', 'todo:act_as']);
