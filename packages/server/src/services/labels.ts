import type { ProjectId } from '#domain/ids';
import { type Label, MAX_LABELS } from '#domain/project';
import { mustBeKeptHere, mustBeKnown, mustBeNew } from './added-names.ts';
import { type PageOf, type PageRequest, pageOf } from './pages.ts';
import type { Ports } from './ports.ts';
import { findProject, isKeptHere } from './projects.ts';
import type { ProjectLabel, TaskerAdapter } from './tasker/adapter.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewLabel {
  readonly project_id: ProjectId;
  readonly name: string;
  readonly color: string | null;
}

interface NamedLabel {
  readonly project_id: ProjectId;
  /** By id or name. */
  readonly label: string;
}

interface LabelChanges {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
}

export function createLabels({ ids, cursors }: Ports, adapter: Pick<TaskerAdapter, 'is_local' | 'labels'>) {
  const ownLabels = ({ tx, caller }: ReadWork, project: ProjectId) => tx.projects.labels(caller.workspace_id, project);

  async function theLabel(work: WriteWork, { project_id, label }: NamedLabel) {
    mustBeKeptHere(adapter);
    await findProject(work, project_id);
    const known = await ownLabels(work, project_id);
    return { own: mustBeKnown(label, { kind: 'label', known }), known };
  }

  return {
    list: async (work: ReadWork, id: ProjectId, page: PageRequest): Promise<PageOf<ProjectLabel>> => {
      const project = await findProject(work, id);
      const rows = isKeptHere(adapter, project) ? await ownLabels(work, id) : await adapter.labels(work, id);
      return pageOf(cursors, page, { name: `labels:${id}`, rows });
    },

    add: async (work: WriteWork, fields: NewLabel): Promise<Label> => {
      mustBeKeptHere(adapter);
      await findProject(work, fields.project_id);
      const known = await ownLabels(work, fields.project_id);
      mustBeNew(fields.name, { kind: 'label', known, most: MAX_LABELS.of_project });

      const label: Label = { ...fields, id: ids(), created_at: work.tx.now };
      await work.tx.projects.insertLabel(label);
      work.changed(null, label);
      return label;
    },

    update: async (work: WriteWork, named: NamedLabel, changes: LabelChanges): Promise<Label> => {
      const { own, known } = await theLabel(work, named);
      const changed: Label = { ...own, name: changes.name ?? own.name, color: changes.color ?? own.color };
      const others = known.filter(({ id }) => id !== own.id);
      mustBeNew(changed.name, { kind: 'label', known: others, most: MAX_LABELS.of_project });
      await work.tx.projects.updateLabel(changed);
      work.changed(own, changed);
      return changed;
    },

    remove: async (work: WriteWork, named: NamedLabel): Promise<Label> => {
      const { own } = await theLabel(work, named);
      await work.tx.projects.removeLabel(own);
      work.changed(own, null);
      return own;
    },
  };
}
