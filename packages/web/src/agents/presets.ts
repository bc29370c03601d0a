import type { Scope } from '../api/agents.ts';

/** Sets of rights with a name, so that nobody must know the scopes. None reaches beyond the chosen projects: a todo list belongs to a person. */
export const PRESETS = {
  Read: ['board:read', 'issue:read', 'project:read'],
  Worker: ['board:read', 'board:write', 'execution:report'],
  Planner: ['board:read', 'board:write', 'board:run', 'execution:report'],
} as const satisfies Readonly<Record<string, readonly Grantable[]>>;
export type Preset = keyof typeof PRESETS | 'Custom';

/**
 * Deleting and administering are for people. Adding members is not offered, since it decides who sees a project: it is
 * given on the command line.
 */
type NotOffered = 'admin' | 'board:delete' | 'todo:act_as' | 'project:member:add_existing';
const FOR_PEOPLE: Readonly<Record<NotOffered, string>> = {
  admin: 'Administer users, projects, agents and tokens',
  'board:delete': 'Delete tasks of the board',
  'todo:act_as': 'Name other people in calls of todo lists',
  'project:member:add_existing': 'Add members of the workspace to projects',
};
type Grantable = Exclude<Scope, NotOffered>;

/** The scopes that can be given to an agent, with what they allow. A new scope must be here or among those not offered. */
export const GRANTABLE: Readonly<Record<Grantable, string>> = {
  'board:read': 'Read the board',
  'board:write': 'Change tasks on the board',
  'board:run': 'Start and steer attempts',
  'board:merge': 'Merge attempts and open pull requests',
  'execution:report': 'Report runs and their steps',
  'todo:read': 'Read the todo list of its owner',
  'todo:write': 'Change the todo list of its owner',
  'issue:read': 'Read cards',
  'issue:create': 'Create cards',
  'issue:update': 'Change fields of cards',
  'issue:move': 'Change the state of cards',
  'issue:label': 'Set labels of cards',
  'issue:assign': 'Set assignees of cards',
  'issue:comment': 'Comment on cards',
  'issue:structured_blocks:write': 'Change blocks of cards',
  'project:read': 'Read states, labels and members',
  'workspace:read': 'Read the rules of the workspace',
};

/** What each scope allows. */
export const ALLOWS: Readonly<Record<Scope, string>> = { ...GRANTABLE, ...FOR_PEOPLE };

/** Rights in projects; the others belong to the token alone. */
export const isOfProject = (scope: Scope): boolean => /^(?:project|issue|board):/.test(scope);

/** The preset that gives these rights in a project, or Custom. */
export function presetOf(scopes: readonly Scope[]): Preset {
  const own = scopes.filter(isOfProject).toSorted().join();
  const found = (Object.keys(PRESETS) as (keyof typeof PRESETS)[]).find(
    (name) => PRESETS[name].filter(isOfProject).toSorted().join() === own,
  );
  return found ?? 'Custom';
}
