import type { AttemptId, ProjectId, RepoId, UserId, WorkspaceId } from '#domain/ids';
import type { Label, MemberRow, Project, ProjectMember, Repo, State, TodoList } from '#domain/project';
import type { Within } from '#domain/reach';

/** A part of a list: at most `limit` rows after the one with this id; null for the first part. */
export interface Page {
  readonly after: string | null;
  readonly limit: number;
}

/** What can be read of projects, and of what they are made of: see `Reads`. */
export interface ProjectReads {
  readonly projects: {
    readonly find: (workspace: WorkspaceId, id: ProjectId) => Promise<Project | null>;
    /** The project that has this key, or had it before. */
    readonly ofKey: (workspace: WorkspaceId, key: string) => Promise<Project | null>;
    /** Whether a project that was removed had this key, and tasks that it named. */
    readonly isRetiredKey: (workspace: WorkspaceId, key: string) => Promise<boolean>;
    /** The key of the project, and its former keys. */
    readonly keys: (workspace: WorkspaceId, id: ProjectId) => Promise<readonly string[]>;
    /** In the order of creation, including people's todo lists, without those of apps' users. */
    readonly list: (workspace: WorkspaceId, page: Page) => Promise<readonly Project[]>;
    /** The visible ones, in the order of creation. */
    readonly open: (within: Within, page: Page) => Promise<readonly Project[]>;
    readonly states: (workspace: WorkspaceId, id: ProjectId) => Promise<readonly State[]>;
    /** By name. */
    readonly labels: (workspace: WorkspaceId, id: ProjectId) => Promise<readonly Label[]>;
    /** In the order of creation, including blocked users. */
    readonly members: (workspace: WorkspaceId, id: ProjectId) => Promise<readonly MemberRow[]>;
    readonly repos: (workspace: WorkspaceId, id: ProjectId) => Promise<readonly Repo[]>;
    readonly repo: (workspace: WorkspaceId, id: RepoId) => Promise<Repo | null>;
    /** The repository at this path that was taken out of the project. */
    readonly removedRepo: (workspace: WorkspaceId, id: ProjectId, path: string) => Promise<Repo | null>;
    /** An attempt with a run that is queued or running in this repository. */
    readonly busyAttempt: (workspace: WorkspaceId, repo: RepoId) => Promise<AttemptId | null>;
    /** How many tasks a project has, and how many runs, attempts and tokens of runs keep its history. */
    readonly contents: (
      workspace: WorkspaceId,
      id: ProjectId,
    ) => Promise<{ readonly tasks: number; readonly runs: number }>;
    /** The todo list of an active user; null when there is no such user, or a blocked one. */
    readonly todoList: (workspace: WorkspaceId, owner: UserId) => Promise<TodoList | null>;
  };
}

/** The write methods about attempts and workers. */
export interface ProjectWrites {
  readonly projects: ProjectReads['projects'] & {
    readonly insert: (project: Project, states: readonly State[]) => Promise<void>;
    /** Writes name, key, card guide and all other settings. A former key stays the project's. */
    readonly update: (project: Project) => Promise<void>;
    readonly insertState: (state: State) => Promise<void>;
    readonly insertLabel: (label: Label) => Promise<void>;
    /** Writes the name of a state. */
    readonly updateState: (state: State) => Promise<void>;
    /** Removes a state. Its answer is how many tasks are in it: with any, nothing is removed. */
    readonly removeState: (state: State) => Promise<number>;
    /** Writes name and color of a label. */
    readonly updateLabel: (label: Label) => Promise<void>;
    /** Removes a label, also from the tasks that have it. */
    readonly removeLabel: (label: Label) => Promise<void>;
    /** Adds a member, or changes a member's role. */
    readonly putMember: (member: ProjectMember) => Promise<void>;
    /**
     * Also removes the user's assignments and the grants of their agents in this project. False when the user was no
     * member.
     */
    readonly removeMember: (workspace: WorkspaceId, project: ProjectId, user: UserId) => Promise<boolean>;
    /** Removes a project without runs, with its tasks and all else that is in it. */
    readonly remove: (workspace: WorkspaceId, id: ProjectId) => Promise<void>;
    readonly insertRepo: (repo: Repo) => Promise<void>;
    /** Removes a repository from its project. The changes of attempts in it stay readable. */
    readonly removeRepo: (workspace: WorkspaceId, id: RepoId) => Promise<void>;
    /** Restores a removed repository. */
    readonly restoreRepo: (workspace: WorkspaceId, id: RepoId) => Promise<void>;
    /** Writes target branch and set-up script. */
    readonly updateRepo: (repo: Repo) => Promise<void>;
  };
}
