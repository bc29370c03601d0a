// Plane knows ids in lower case only, and any other form gets an answer without a reason.
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text has the form of Plane's ids: no other text is sent to Plane. */
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
