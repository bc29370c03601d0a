import type { ProjectId } from './ids.ts';

/** All names by which the operator's configuration may mean a project. */
export interface ProjectNames {
  readonly id: ProjectId;
  readonly name: string;
  /** The key of the project, and its former keys. */
  readonly keys: readonly string[];
}

const isMeant = (given: string, { id, name, keys }: ProjectNames, end: string): boolean => {
  if (!given.endsWith(end)) return false;
  const project = given.slice(0, given.length - end.length);
  return project === id || project === name || keys.includes(project.toUpperCase());
};

/** The settings whose key is the project's id, name or key followed by `end`. */
export const settingsOf = <Value>(
  settings: Readonly<Record<string, Value>>,
  project: ProjectNames,
  end = '',
): readonly Value[] =>
  Object.entries(settings)
    .filter(([given]) => isMeant(given, project, end))
    .map(([, value]) => value);
