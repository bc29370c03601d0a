import type { IconName } from '../ui/icons.ts';

/** A page that the rail leads to. */
export interface Place {
  readonly name: string;
  readonly icon: IconName;
  /** The address; `project` is the key of the chosen project. */
  readonly to: (project: string | null) => string;
  /** The second key after `g`. */
  readonly key?: string;
  /** Whether an address belongs to it, besides its own: an attempt belongs to the runs. */
  readonly owns?: RegExp;
  /** Whether it is about one project: the others are about all of them. */
  readonly isOfProject?: true;
  /** What is counted beside its name. */
  readonly counts?: 'waiting';
}

const ofProject = (project: string | null, rest = ''): string => (project === null ? '/' : `/p/${project}${rest}`);

/** The pages in the order of the rail, in two groups. */
export const PLACES: readonly (readonly Place[])[] = [
  [
    { name: 'Inbox', icon: 'inbox', to: () => '/inbox', key: 'i', counts: 'waiting' },
    {
      name: 'Board',
      icon: 'board',
      to: (project) => ofProject(project),
      key: 'b',
      owns: /^\/(?:p\/[^/]+|t\/.+)$/,
      isOfProject: true,
    },
    { name: 'Tasks', icon: 'tasks', to: (project) => ofProject(project, '/tasks'), key: 't', isOfProject: true },
    { name: 'Runs', icon: 'runs', to: () => '/runs', key: 'r', owns: /^\/a\// },
    { name: 'Agents', icon: 'agents', to: () => '/agents', key: 'a', owns: /^\/agents\// },
    { name: 'Activity', icon: 'activity', to: () => '/activity', key: 'v' },
  ],
  [
    { name: 'Operations', icon: 'ops', to: () => '/ops', key: 'o' },
    { name: 'Settings', icon: 'settings', to: () => '/settings', key: 's', owns: /^\/p\/[^/]+\/settings$/ },
  ],
];

/** The place that an address belongs to. */
export function railPageOf(pathname: string, project: string | null): Place | undefined {
  const places = PLACES.flat();
  return places.find(({ to }) => to(project) === pathname) ?? places.find(({ owns }) => owns?.test(pathname) === true);
}
