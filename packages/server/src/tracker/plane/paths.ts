// Plane knows ids in lower case only, and an address with any other answers nothing that tells why.
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether it can be an id of Plane at all: what cannot is not asked for. */
export const isPlaneId = (id: string): boolean => ID.test(id);

export const projectParts = (project: string, part: 'states' | 'labels' | 'members'): readonly string[] => [
  'projects',
  project,
  part,
];

export const items = (project: string, ...rest: readonly string[]): readonly string[] => [
  'projects',
  project,
  'work-items',
  ...rest,
];
