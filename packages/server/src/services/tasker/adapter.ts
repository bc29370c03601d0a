import type { DetailLayout } from '#domain/blocks';
import type { ProjectId } from '#domain/ids';
import type { StateGroup } from '#domain/project';
import type { Within } from '#domain/reach';
import type { CleanHtml } from '#domain/rich-text';
import type { Priority } from '#domain/work-item';
import type { ReadWork, TrackerWork } from '#services/work';

/** Ids of the tracker are plain text here: those of another system are not ours to judge. */
export interface TrackerState {
  readonly id: string;
  readonly name: string;
  readonly group: StateGroup;
}

export interface TrackerLabel {
  readonly id: string;
  readonly name: string;
}

export interface ProjectLabel extends TrackerLabel {
  /** Such as #d73a4a; null for none. */
  readonly color: string | null;
}

export interface TrackerMember {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly is_active: boolean;
}

/** Who wrote something: a person, or an agent that works for one. */
export interface Author {
  readonly kind: 'user' | 'agent';
  readonly id: string;
  readonly name: string;
}

export interface Issue {
  readonly id: string;
  readonly project_id: ProjectId;
  readonly name: string;
  readonly description_html: CleanHtml | null;
  readonly detail_layout: DetailLayout | null;
  readonly state: TrackerState;
  readonly priority: Priority;
  readonly labels: readonly TrackerLabel[];
  readonly assignees: readonly { readonly id: string; readonly name: string }[];
  readonly parent_id: string | null;
  readonly start_date: string | null;
  readonly target_date: string | null;
  readonly sort_order: number;
  /** Goes up with every change; null where the tracker keeps none. */
  readonly version: number | null;
  readonly created_by: Author | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** An issue as search shows it. `position` is where it stands: what comes after it is asked for with it. */
export type IssueRow = Pick<
  Issue,
  'id' | 'project_id' | 'name' | 'state' | 'priority' | 'target_date' | 'updated_at'
> & { readonly position: string };

export interface IssueQuery {
  /** As it was typed; empty for everything. */
  readonly query: string;
  /** `position` of the row before; null for the first. */
  readonly after: string | null;
  readonly limit: number;
}

export interface IssueComment {
  readonly id: string;
  readonly comment_html: string;
  readonly author: Author | null;
  readonly created_at: number;
}

export interface NewIssue {
  readonly project_id: ProjectId;
  readonly name: string;
  readonly description_html: CleanHtml | null;
  readonly detail_layout: DetailLayout | null;
  readonly state: TrackerState;
  readonly priority: Priority;
  readonly label_ids: readonly string[];
  readonly assignee_ids: readonly string[];
  readonly parent_id: string | null;
  readonly start_date: string | null;
  readonly target_date: string | null;
}

export interface NewComment {
  readonly comment_html: CleanHtml;
  /** Names what the comment is about: a second one about the same is not made, the first is answered instead. */
  readonly only_one_of?: string;
}

/** Fields that are undefined stay as they are. */
export interface IssueChanges {
  readonly name?: string | undefined;
  readonly description_html?: CleanHtml | null | undefined;
  readonly detail_layout?: DetailLayout | null | undefined;
  readonly priority?: Priority | undefined;
  readonly start_date?: string | null | undefined;
  readonly target_date?: string | null | undefined;
  readonly parent_id?: string | null | undefined;
  readonly state?: TrackerState | undefined;
  readonly sort_order?: number | undefined;
  readonly label_ids?: readonly string[] | undefined;
  readonly assignee_ids?: readonly string[] | undefined;
}

/**
 * Where issues are kept: Errand's own store, or a tracker elsewhere. The rules (what may be changed, by whom, into
 * what) are applied before it is asked; it keeps and finds. Whatever is out of `within` it answers as not there.
 */
export interface TaskerAdapter {
  /** Whether its changes are part of the call's own transaction. One that is elsewhere is called outside of any. */
  readonly is_local: boolean;
  readonly states: (work: ReadWork, project: ProjectId) => Promise<readonly TrackerState[]>;
  readonly labels: (work: ReadWork, project: ProjectId) => Promise<readonly ProjectLabel[]>;
  readonly members: (work: ReadWork, project: ProjectId) => Promise<readonly TrackerMember[]>;
  readonly find: (work: ReadWork, within: Within, id: string) => Promise<Issue | null>;
  /** The ids of the issue and of those above it, itself first, at most so many; none when it is not there. */
  readonly lineage: (work: ReadWork, within: Within, id: string, most: number) => Promise<readonly string[]>;
  readonly search: (work: ReadWork, within: Within, query: IssueQuery) => Promise<readonly IssueRow[]>;
  /** The newest comments, at most so many, and how many there are in all. */
  readonly comments: (
    work: ReadWork,
    issue: Issue,
    limit: number,
  ) => Promise<{ readonly count: number; readonly latest: readonly IssueComment[] }>;
  /** A repeated call with the same `operation_id` answers the issue that the first one made. */
  readonly create: (work: TrackerWork, issue: NewIssue) => Promise<Issue>;
  readonly update: (work: TrackerWork, issue: Issue, changes: IssueChanges) => Promise<Issue>;
  /** A repeated call with the same `operation_id` answers the comment that the first one made. */
  readonly comment: (work: TrackerWork, issue: Issue, comment: NewComment) => Promise<IssueComment>;
  /**
   * Runs when nothing else runs under the same name: what reads an issue, and writes what follows from it, would
   * otherwise undo a change in between. A tracker whose transactions take turns anyway runs it at once.
   */
  readonly exclusively: <T>(work: TrackerWork, name: string, run: () => Promise<T>) => Promise<T>;
}

/** A tracker elsewhere whose projects can be taken over into Errand. */
export interface ProjectSource {
  readonly projects: () => Promise<readonly { readonly id: string; readonly name: string }[]>;
}
