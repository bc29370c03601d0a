import type { Project } from '#domain/project';
import type { ProjectRights } from '#domain/reach';
import type { User, Workspace } from '#domain/user';
import type { OfferedExecutor } from '#domain/worker';
import { ErrandError } from '#errors';
import { createOfferedExecutors } from './board/offered-executors.ts';
import type { Ports } from './ports.ts';
import type { ReadWork } from './work.ts';

/** How many projects one answer names. The list of projects has all. */
const MAX_PROJECTS = 500;

interface Me {
  readonly user: User;
  readonly workspace: Workspace;
  readonly projects: readonly { readonly project: Project; readonly rights: ProjectRights }[];
  readonly executors: readonly OfferedExecutor[];
  readonly version: string;
  /** Whether the person can sign in with a password. */
  readonly has_password: boolean;
}

/** The caller, the caller's rights in each project, and the executors of this server. */
export function createMe({ version }: Pick<Ports, 'version'>) {
  const executors = createOfferedExecutors();
  return {
    show: async (work: ReadWork): Promise<Me> => {
      const { tx, caller, within } = work;
      const user = await tx.users.find(caller.workspace_id, caller.user_id);
      const workspace = await tx.workspaces.first();
      if (user === null || workspace?.id !== caller.workspace_id) {
        throw new ErrandError('not_found', 'This installation is of another workspace.');
      }
      const projects = await tx.projects.open(within, { after: null, limit: MAX_PROJECTS });
      return {
        user,
        workspace,
        projects: projects.map((project) => ({ project, rights: work.rightsIn(project.id) })),
        executors: (await executors.list(work)).executors,
        version,
        has_password: (await tx.passwords.find(caller.workspace_id, user.id)) !== null,
      };
    },
  };
}
