import type { ProjectId, RepoId, StateId, UserId, WorkspaceId } from '#domain/ids';
import { DEFAULT_STATES, type Project, type Repo, type State } from '#domain/project';
import { ErrandError } from '#errors';
import type { Transaction } from '#store/store';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewProject {
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  /** Whose todo list it becomes; null for a project of the team. */
  readonly owner_id: UserId | null;
  readonly card_guide: string | null;
}

/** A project with the columns that every project starts with. */
export async function openProject(tx: Transaction, ids: Ports['ids'], fields: NewProject): Promise<Project> {
  const project: Project = {
    ...fields,
    id: ids() as ProjectId,
    kind: fields.owner_id === null ? 'team' : 'personal',
    created_at: tx.now,
  };
  const states = DEFAULT_STATES.map(
    (state, position): State => ({ ...state, id: ids() as StateId, project_id: project.id, position }),
  );
  await tx.projects.insert(project, states);
  return project;
}

export function createProjects({ ids, cursors, isRepository }: Ports) {
  async function reposOf({ tx, caller }: ReadWork, project: ProjectId): Promise<readonly Repo[]> {
    if ((await tx.projects.find(caller.workspace_id, project)) === null) {
      throw new ErrandError('not_found', `No project ${project}.`, { hint: 'List the projects for their ids.' });
    }
    return tx.projects.repos(caller.workspace_id, project);
  }

  return {
    list: ({ tx, caller }: ReadWork, page: PageRequest): Promise<PageOf<Project>> =>
      readPage(cursors, page, {
        name: `projects:${caller.workspace_id}`,
        read: (part) => tx.projects.list(caller.workspace_id, part),
      }),

    repos: reposOf,

    add: ({ tx, caller }: WriteWork, name: string, card_guide: string | undefined): Promise<Project> =>
      openProject(tx, ids, {
        workspace_id: caller.workspace_id,
        name,
        owner_id: null,
        card_guide: card_guide ?? null,
      }),

    addRepo: async (work: WriteWork, fields: Pick<Repo, 'project_id' | 'path' | 'target_branch'>): Promise<Repo> => {
      const known = await reposOf(work, fields.project_id);
      if (!isRepository(fields.path)) {
        throw new ErrandError('validation_error', `path: ${fields.path} is no git repository on this machine.`);
      }
      if (known.some(({ path }) => path === fields.path)) {
        throw new ErrandError('conflict', `The project has the repository ${fields.path} already.`);
      }

      const name = fields.path.split(/[/\\]/).findLast((part) => part !== '') ?? fields.path;
      const repo: Repo = { ...fields, id: ids() as RepoId, name, created_at: work.tx.now };
      await work.tx.projects.insertRepo(repo);
      return repo;
    },
  };
}
