import type { MergeMode } from '#domain/git-job';
import type { AttemptId, RepoId } from '#domain/ids';
import type { Identity } from '#runner/git/git';

/** One repository of an attempt. */
export interface ShipRepo {
  readonly repo_id: RepoId;
  readonly repo_name: string;
  /** The path of the repository that the attempt was made from. */
  readonly source: string;
  readonly attempt_id: AttemptId;
  readonly branch: string;
  readonly target_branch: string;
  readonly base_commit: string;
}

export interface ShipOrder {
  readonly job_id: string;
  readonly mode: MergeMode;
  /** The message of a commit that Errand makes. */
  readonly message: string;
  /** Null for the identity of the repository. */
  readonly author: Identity | null;
  /** Files that were handed to an agent with conflict markers. */
  readonly marker_paths: readonly string[];
}

export interface RebaseOrder extends ShipOrder {
  /** Commits the conflicts with their markers on the branch of the attempt, instead of moving its commits. */
  readonly with_markers: boolean;
}

/** A work tree that has the target branch checked out. */
export interface WorkTree {
  readonly path: string;
  readonly git_dir: string;
}

/** A move of a second reference, in the transaction that moves the branch. */
export interface AlsoMove {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string;
}

/** The change of one repository. It is stored before the first reference moves, so that any worker can complete it. */
export interface PlannedMove {
  readonly repo_id: RepoId;
  readonly repo_name: string;
  readonly source: string;
  readonly attempt_id: AttemptId;
  /** The branch of the attempt. */
  readonly branch: string;
  /** `merge` moves the target branch, `rebase` the branch of the attempt. */
  readonly kind: 'merge' | 'rebase';
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** The commit of the attempt that was merged or rebased. */
  readonly head: string;
  /** The commit with which the changes of `to` are compared. */
  readonly base: string;
  readonly also: readonly AlsoMove[];
  /** Null unless `ref` is checked out. */
  readonly work_tree: WorkTree | null;
}

export type ShipReason =
  | 'nothing'
  | 'no_target'
  | 'unrelated'
  | 'checked_out'
  | 'not_clean'
  | 'filters'
  | 'submodules'
  | 'in_operation'
  | 'sparse'
  | 'busy'
  | 'moved'
  | 'unresolved'
  | 'too_many_commits'
  | 'unreadable';

/** Why nothing was changed, with a sentence that says what a person can do. */
export interface Refusal {
  readonly reason: ShipReason;
  readonly text: string;
}

export interface Conflict {
  readonly repo_id: RepoId;
  readonly path: string;
}

export type Prepared =
  | { readonly status: 'ready'; readonly moves: readonly PlannedMove[]; readonly notes: readonly string[] }
  | { readonly status: 'conflicts'; readonly conflicts: readonly Conflict[] }
  | ({ readonly status: 'refused'; readonly repo_id: RepoId } & Refusal);

export interface ShippedCommit {
  readonly repo_id: RepoId;
  readonly commit: string;
}

export type CarriedOut =
  | { readonly status: 'merged'; readonly commits: readonly ShippedCommit[] }
  /** Refused: nothing is changed. Partial: some repositories have the commit and others do not; the text names all. */
  | ({ readonly status: 'refused' | 'partial' } & Refusal)
  /** A repository cannot be read, so nobody knows whether its branch has moved. Carried out again, the plan goes on. */
  | { readonly status: 'waits'; readonly text: string };
