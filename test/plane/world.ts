import { randomUUID } from 'node:crypto';

export interface PlaneUser {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly display_name: string;
}

export interface PlaneProject {
  readonly id: string;
  readonly name: string;
  readonly identifier: string;
  readonly network: 0 | 2;
  readonly default_assignee: string | null;
  archived_at: string | null;
}

export interface PlaneState {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly color: string;
  readonly group: string;
  readonly default: boolean;
  readonly sequence: number;
}

export interface PlaneLabel {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly color: string;
  readonly created_at: string;
}

export interface PlaneMember {
  readonly project: string;
  readonly member: string;
  readonly role: 5 | 15 | 20;
  is_active: boolean;
}

export interface PlaneItem {
  readonly id: string;
  readonly project: string;
  readonly sequence_id: number;
  name: string;
  description_html: string;
  priority: string;
  start_date: string | null;
  target_date: string | null;
  parent: string | null;
  state: string;
  sort_order: number;
  assignees: readonly string[];
  labels: readonly string[];
  completed_at: string | null;
  archived_at: string | null;
  external_source: string | null;
  external_id: string | null;
  /** Exists only in a fork of Plane. */
  detail_layout: unknown;
  readonly created_by: string | null;
  updated_by: string | null;
  created_at: string;
  updated_at: string;
}

export interface PlaneComment {
  readonly id: string;
  readonly project: string;
  readonly issue: string;
  readonly comment_html: string;
  readonly access: string;
  readonly external_source: string | null;
  readonly external_id: string | null;
  readonly actor: string;
  readonly created_at: string;
}

/** The data of one Plane. Lists are in the order of creation. */
export interface PlaneWorld {
  readonly workspace: { readonly id: string; readonly slug: string };
  readonly users: PlaneUser[];
  readonly keys: Map<string, string>;
  readonly projects: PlaneProject[];
  readonly states: PlaneState[];
  readonly labels: PlaneLabel[];
  readonly members: PlaneMember[];
  readonly items: PlaneItem[];
  readonly comments: PlaneComment[];
  /** True when work items have `detail_layout`, as in a fork with that column. */
  keeps_layout: boolean;
  readonly now: () => number;
}

const DEFAULT_STATES = [
  ['Backlog', '#60646C', 'backlog'],
  ['Todo', '#60646C', 'unstarted'],
  ['In Progress', '#F59E0B', 'started'],
  ['Done', '#46A758', 'completed'],
  ['Cancelled', '#9AA4BC', 'cancelled'],
] as const;

export const timestamp = (world: PlaneWorld): string => new Date(world.now()).toISOString().replace('Z', '000Z');

export function aPlaneWorld(slug: string, now: () => number): PlaneWorld {
  const lists = { users: [], projects: [], states: [], labels: [], members: [], items: [], comments: [] };
  return { workspace: { id: randomUUID(), slug }, keys: new Map(), keeps_layout: false, now, ...lists };
}

export function addUser(world: PlaneWorld, display_name: string): PlaneUser {
  const user = {
    id: randomUUID(),
    first_name: display_name,
    last_name: '',
    email: `${display_name}@plane.test`,
    display_name,
  };
  world.users.push(user);
  return user;
}

export function addMember(world: PlaneWorld, project: string, member: string, role: 5 | 15 | 20 = 15): PlaneMember {
  const membership = { project, member, role, is_active: true };
  world.members.push(membership);
  return membership;
}

export function addLabel(world: PlaneWorld, project: string, name: string): PlaneLabel {
  const label = { id: randomUUID(), project, name, color: '#d73a4a', created_at: timestamp(world) };
  world.labels.push(label);
  return label;
}

export interface ProjectOptions {
  readonly network?: 0 | 2;
  readonly default_assignee?: string;
}

/** Adds a project with Plane's default states. */
export function addProject(world: PlaneWorld, name: string, options: ProjectOptions = {}): PlaneProject {
  const project: PlaneProject = {
    id: randomUUID(),
    name,
    identifier: name.slice(0, 5).toUpperCase(),
    network: options.network ?? 0,
    default_assignee: options.default_assignee ?? null,
    archived_at: null,
  };
  world.projects.push(project);
  for (const [index, [state, color, group]] of DEFAULT_STATES.entries()) {
    const sequence = 15_000 + index * 10_000;
    world.states.push({
      id: randomUUID(),
      project: project.id,
      name: state,
      color,
      group,
      default: index === 0,
      sequence,
    });
  }
  return project;
}
