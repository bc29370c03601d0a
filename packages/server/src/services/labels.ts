import type { ProjectId } from '#domain/ids';
import { type Label, MAX_LABELS } from '#domain/project';
import { mustBeKeptHere, mustBeNew } from './added-names.ts';
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

export function createLabels({ ids, cursors }: Ports, adapter: Pick<TaskerAdapter, 'is_local' | 'labels'>) {
  const ownLabels = ({ tx, caller }: ReadWork, project: ProjectId) => tx.projects.labels(caller.workspace_id, project);

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
  };
}
