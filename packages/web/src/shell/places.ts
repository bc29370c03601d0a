import type { IconName } from '../ui/icons.ts';

/** A page that the rail leads to. */
export interface Place {
  readonly name: string;
  readonly icon: IconName;
  /** The address; `project` is the key of the chosen project. */
  readonly to: (project: string | null) => string;
  /** The second key after `g`. */
  readonly key?: string;
  /** What is counted beside its name. */
  readonly counts?: 'waiting';
}

const ofProject = (project: string | null, rest = ''): string => (project === null ? '/' : `/p/${project}${rest}`);

/** The pages in the order of the rail, in two groups. */
export const PLACES: readonly (readonly Place[])[] = [
  [
    { name: 'Inbox', icon: 'inbox', to: () => '/inbox', key: 'i', counts: 'waiting' },
    { name: 'Board', icon: 'board', to: (project) => ofProject(project), key: 'b' },
    { name: 'Tasks', icon: 'tasks', to: (project) => ofProject(project, '/tasks'), key: 't' },
    { name: 'Runs', icon: 'runs', to: () => '/runs', key: 'r' },
    { name: 'Agents', icon: 'agents', to: () => '/agents', key: 'a' },
    { name: 'Activity', icon: 'activity', to: () => '/activity', key: 'v' },
  ],
  [
    { name: 'Operations', icon: 'ops', to: () => '/ops', key: 'o' },
    { name: 'Settings', icon: 'settings', to: () => '/settings', key: 's' },
  ],
];
