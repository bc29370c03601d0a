import { say } from '#advice';
import { ProjectId } from '#domain/ids';
import type { Project } from '#domain/project';
import { visible } from '#domain/visible-text';
import { ErrandError } from '#errors';
import { joinProject } from './projects.ts';
import type { ProjectSource } from './tasker/adapter.ts';
import type { TrackerWork } from './work.ts';

interface Imported {
  readonly imported: readonly Project[];
  /** How many projects of the tracker were already known. */
  readonly known: number;
}

const NAME_LENGTH = 100;

const nameOf = (name: string): string =>
  [...visible(name).trim()].slice(0, NAME_LENGTH).join('') || 'Project without a name';

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
        const project: Project = {
          id,
          workspace_id,
          kind: 'team',
          owner_id: null,
          name: nameOf(name),
          card_guide: null,
          completion_gate: 'none',
          created_at: tx.now,
        };
        if ((await tx.projects.find(workspace_id, project.id)) !== null) continue;
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
