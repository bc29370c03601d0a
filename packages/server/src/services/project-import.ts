import { say } from '#advice';
import { ProjectId } from '#domain/ids';
import { PROJECT_DEFAULTS, type Project } from '#domain/project';
import { visible } from '#domain/visible-text';
import { ErrandError } from '#errors';
import { proposeKey } from './project-keys.ts';
import { joinProject } from './projects.ts';
import type { ProjectSource } from './tasker/adapter.ts';
import type { TrackerWork } from './work.ts';

interface Imported {
  readonly imported: readonly Project[];
  /** How many projects of the tracker were already known. */
  readonly known: number;
}

const MAX_NAME_CHARACTERS = 100;

const nameOf = (name: string): string =>
  [...visible(name).trim()].slice(0, MAX_NAME_CHARACTERS).join('') || 'Project without a name';

/** Imports the projects of another tracker under its own ids, so that they can be granted. */
export function createProjectImport(source: ProjectSource | null) {
  return async (work: TrackerWork): Promise<Imported> => {
    if (source === null) {
      throw new ErrandError('validation_error', "There is nothing to import from: the tracker is Errand's own.", {
        hint: say`Add a project with: ${{ command: 'project add' }} NAME.`,
      });
    }
    const { workspace_id, user_id } = work.caller;
    const found = (await source.projects()).flatMap(({ id, name }) => {
      const parsed = ProjectId.safeParse(id);
      return parsed.success ? [{ id: parsed.data, name }] : [];
    });

    const imported = await work.transaction(async (tx) => {
      const added: Project[] = [];
      for (const { id, name } of found) {
        if ((await tx.projects.find(workspace_id, id)) !== null) continue;
        const project: Project = {
          id,
          workspace_id,
          kind: 'team',
          owner_id: null,
          name: nameOf(name),
          card_guide: null,
          ...PROJECT_DEFAULTS,
          key: await proposeKey(tx, workspace_id, name),
          created_at: tx.now,
        };
        // The other tracker keeps its states: none are stored here.
        await tx.projects.insert(project, []);
        await joinProject(tx, project, user_id);
        added.push(project);
      }
      return added;
    });
    if (imported.length > 0) work.changed(null, imported);
    return { imported, known: found.length - imported.length };
  };
}
