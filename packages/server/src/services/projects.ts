import { say } from '#advice';
import { type Limit, limitsFor } from '#domain/budget';
import type { ProjectId, RepoId, UserId, WorkspaceId } from '#domain/ids';
import { DEFAULT_STATES, PROJECT_DEFAULTS, type Project, type Repo, type State } from '#domain/project';
import { isOpenTo } from '#domain/reach';
import type { Referent } from '#domain/reference';
import { refusal } from '#domain/refusal';
import { ErrandError } from '#errors';
import type { Transaction } from '#store/store';
import { namesakesOf } from './names.ts';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { mustBeFree, proposeKey } from './project-keys.ts';
import { projectNames } from './runs/project-names.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewProject {
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  /** The owner of the todo list; null for a team project. */
  readonly owner_id: UserId | null;
  readonly card_guide: string | null;
  /** Free; null for the todo list of an app's user. */
  readonly key: string | null;
}

/** Without a key, one is made of the name. */
interface NewTeamProject {
  readonly name: string;
  readonly card_guide?: string | undefined;
  readonly key?: string | undefined;
}

/** Undefined fields stay unchanged; an empty guide or message removes it. */
interface ProjectChanges {
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly card_guide?: string | undefined;
  readonly completion_gate?: Project['completion_gate'] | undefined;
  readonly require_green?: boolean | undefined;
  readonly retry_red?: number | undefined;
  readonly merge_mode?: Project['merge_mode'] | undefined;
  readonly merge_message?: string | undefined;
  readonly delete_branch?: boolean | undefined;
}

/** The fields that a project has as they are given. */
const given = <Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  // The cast: `Object.fromEntries` loses the names of the fields.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

const MAX_NAMESAKES = 5;

function noRepository(path: string, is_folder: boolean): ErrandError {
  if (!is_folder) {
    return new ErrandError('validation_error', say`${{ field: 'path' }}: there is no folder ${path} on this machine.`);
  }
  return new ErrandError('validation_error', say`${{ field: 'path' }}: ${path} is no git repository.`, {
    hint: `Make it one: git init ${path} && git -C ${path} commit --allow-empty -m "first commit"`,
  });
}

/** An empty script counts as none. */
type NewRepo = Pick<Repo, 'project_id' | 'path'> & {
  readonly target_branch?: string | undefined;
  readonly setup_script: string;
};

/** Undefined fields stay unchanged; an empty script removes it. */
interface RepoChanges {
  readonly target_branch?: string | undefined;
  readonly setup_script?: string | undefined;
}

/** Creates a project with the default columns. */
export async function openProject(tx: Transaction, ids: Ports['ids'], fields: NewProject): Promise<Project> {
  const project: Project = {
    ...fields,
    id: ids(),
    kind: fields.owner_id === null ? 'team' : 'personal',
    ...PROJECT_DEFAULTS,
    created_at: tx.now,
  };
  const states = DEFAULT_STATES.map(
    (state, position): State => ({ ...state, id: ids(), project_id: project.id, position }),
  );
  await tx.projects.insert(project, states);
  return project;
}

export async function findProject({ tx, caller }: ReadWork, id: ProjectId): Promise<Project> {
  const project = await tx.projects.find(caller.workspace_id, id);
  if (project !== null) return project;
  throw new ErrandError('not_found', `No project ${id}.`, { hint: say`${{ call: 'admin_list_projects' }} for keys.` });
}

/** Whether Errand itself keeps a project's items: todo lists always stay here, also with another tracker. */
export const isKeptHere = ({ is_local }: { readonly is_local: boolean }, { kind }: Project): boolean =>
  is_local || kind === 'personal';

/** Returns a project that an agent of this owner can be granted: a todo list can only be granted by its owner. */
export async function findGrantable(work: ReadWork, id: ProjectId, owner_id: UserId): Promise<Project> {
  const project = await findProject(work, id);
  if (isOpenTo(project, owner_id)) return project;
  throw new ErrandError('validation_error', `Project ${id} is the todo list of someone else than the agent’s owner.`);
}

/** The person who makes a project is a member of it, with the role that they have in the workspace. */
export async function joinProject(tx: Transaction, { workspace_id, id }: Project, user_id: UserId): Promise<void> {
  const user = await tx.users.find(workspace_id, user_id);
  if (user === null) return;
  await tx.projects.putMember({ project_id: id, user_id, role: user.role, added_at: tx.now });
}

export function createProjects({ ids, cursors, budgets, isFolder, isRepository, hasCommits, headBranch }: Ports) {
  async function reposOf(work: ReadWork, project: ProjectId): Promise<readonly Repo[]> {
    await findProject(work, project);
    return work.tx.projects.repos(work.caller.workspace_id, project);
  }

  async function findRepo({ tx, caller }: ReadWork, id: RepoId): Promise<Repo> {
    const repo = await tx.projects.repo(caller.workspace_id, id);
    if (repo !== null) return repo;
    throw new ErrandError('not_found', `No repository ${id}.`, {
      hint: say`${{ call: 'admin_list_repos' }} for names and ids.`,
    });
  }

  return {
    list: ({ tx, caller }: ReadWork, page: PageRequest): Promise<PageOf<Project>> =>
      readPage(cursors, page, {
        name: `projects:${caller.workspace_id}`,
        read: (part) => tx.projects.list(caller.workspace_id, part),
      }),

    /** A project with the limits of the operator that all its runs are held to. */
    show: async (
      work: ReadWork,
      id: ProjectId,
    ): Promise<{ readonly project: Project; readonly limits: readonly Limit[] }> => {
      const project = await findProject(work, id);
      const { workspace_id } = project;
      const names = await projectNames(work.tx, { workspace_id, project_id: id });
      return { project, limits: limitsFor(budgets, { project: names, agent: [] }) };
    },

    repos: reposOf,

    /** Adds a project; `namesakes` are the other projects that the same name finds. */
    add: async (
      work: WriteWork,
      { name, card_guide, key }: NewTeamProject,
    ): Promise<{ readonly project: Project; readonly namesakes: readonly Referent[] }> => {
      const { tx, caller, changed } = work;
      if (key !== undefined) await mustBeFree(tx, caller.workspace_id, { key, id: null });
      const namesakes = await namesakesOf(work, 'project', { name, most: MAX_NAMESAKES });
      const project = await openProject(tx, ids, {
        workspace_id: caller.workspace_id,
        name,
        owner_id: null,
        card_guide: card_guide || null,
        key: key ?? (await proposeKey(tx, caller.workspace_id, name)),
      });
      await joinProject(tx, project, caller.user_id);
      changed(null, project);
      return { project, namesakes };
    },

    update: async (work: WriteWork, id: ProjectId, changes: ProjectChanges): Promise<Project> => {
      const { card_guide, merge_message, ...settings } = changes;
      if (Object.values(changes).every((value) => value === undefined)) {
        throw new ErrandError('validation_error', 'No changes: give at least one field to change.');
      }

      const project = await findProject(work, id);
      const { key } = settings;
      if (key !== undefined) await mustBeFree(work.tx, project.workspace_id, { key, id });
      const updated: Project = {
        ...project,
        ...given(settings),
        card_guide: card_guide === undefined ? project.card_guide : card_guide || null,
        merge_message: merge_message === undefined ? project.merge_message : merge_message || null,
      };
      await work.tx.projects.update(updated);
      work.changed(project, updated);
      return updated;
    },

    /** Removes a team project. Its tasks are deleted only with consent; the history of runs is always kept. */
    remove: async (work: WriteWork, id: ProjectId, yes: boolean): Promise<Project & { readonly tasks: number }> => {
      const { tx, caller, changed } = work;
      const project = await findProject(work, id);
      if (project.kind === 'personal')
        throw refusal('project_id', `${project.name} is the todo list of a person, which stays`);
      const { tasks, runs } = await tx.projects.contents(caller.workspace_id, id);
      if (runs > 0) {
        throw new ErrandError(
          'conflict',
          `Agents have worked in ${project.name}, and the history of their runs is kept.`,
          {
            hint: say`Take its repositories out with ${{ tool: 'admin_remove_repo' }} and give it another name with ${{ tool: 'admin_update_project' }} instead.`,
          },
        );
      }
      if (tasks > 0 && !yes) {
        throw refusal(
          'yes',
          `${project.name} has ${tasks} ${tasks === 1 ? 'task' : 'tasks'}, which would go with it`,
          say`Agree to it with ${{ field: 'yes' }} to remove them too.`,
        );
      }
      await tx.projects.remove(caller.workspace_id, id);
      changed(project, null);
      return { ...project, tasks };
    },

    addRepo: async (work: WriteWork, { setup_script, target_branch, ...fields }: NewRepo): Promise<Repo> => {
      const known = await reposOf(work, fields.project_id);
      if (!isRepository(fields.path)) {
        throw noRepository(fields.path, isFolder(fields.path));
      }
      if (known.some(({ path }) => path === fields.path)) {
        throw new ErrandError('conflict', `The project has the repository ${fields.path} already.`);
      }
      if (!hasCommits(fields.path)) {
        throw new ErrandError(
          'validation_error',
          say`${{ field: 'path' }}: ${fields.path} has no commit yet, and an attempt begins at one.`,
          {
            hint: `Commit something first: git -C ${fields.path} commit --allow-empty -m "first commit"`,
          },
        );
      }

      const name = fields.path.split(/[/\\]/).findLast((part) => part !== '') ?? fields.path;
      // A removed repository keeps its row for the attempts that used it.
      const known_before = await work.tx.projects.removedRepo(work.caller.workspace_id, fields.project_id, fields.path);
      const repo: Repo = {
        ...fields,
        id: known_before?.id ?? ids<RepoId>(),
        name,
        target_branch: target_branch ?? headBranch(fields.path) ?? 'main',
        setup_script: setup_script || null,
        created_at: work.tx.now,
      };
      if (known_before === null) await work.tx.projects.insertRepo(repo);
      else {
        await work.tx.projects.restoreRepo(work.caller.workspace_id, repo.id);
        await work.tx.projects.updateRepo(repo);
      }
      work.changed(null, repo);
      return repo;
    },

    /** Removes a repository from its project, unless an agent works in it. */
    removeRepo: async (work: WriteWork, id: RepoId): Promise<Repo> => {
      const repo = await findRepo(work, id);
      const busy = await work.tx.projects.busyAttempt(work.caller.workspace_id, id);
      if (busy !== null) {
        throw new ErrandError(
          'run_in_progress',
          `An agent is at work in ${repo.name}: a run of attempt ${busy} goes on.`,
          {
            hint: [say`${{ call: 'stop_attempt' }} to end it.`, 'Remove the repository when the run has ended.'],
          },
        );
      }
      await work.tx.projects.removeRepo(work.caller.workspace_id, id);
      work.changed(repo, null);
      return repo;
    },

    updateRepo: async (work: WriteWork, id: RepoId, { target_branch, setup_script }: RepoChanges): Promise<Repo> => {
      if (target_branch === undefined && setup_script === undefined) {
        throw new ErrandError(
          'validation_error',
          say`No changes: give ${{ field: 'target_branch' }}, ${{ field: 'setup_script' }}, or both.`,
        );
      }
      const repo = await findRepo(work, id);
      const updated: Repo = {
        ...repo,
        target_branch: target_branch ?? repo.target_branch,
        setup_script: setup_script === undefined ? repo.setup_script : setup_script || null,
      };
      await work.tx.projects.updateRepo(updated);
      work.changed(repo, updated);
      return updated;
    },
  };
}
