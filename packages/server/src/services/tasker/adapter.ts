import type { DetailLayout } from '#domain/blocks';
import type { ProjectId } from '#domain/ids';
import type { StateGroup } from '#domain/project';
import type { Within } from '#domain/reach';
import type { CleanHtml } from '#domain/rich-text';
import type { Priority } from '#domain/work-item';
import type { ReadWork, TrackerWork } from '#services/work';

/** Ids of the tracker are plain text: another system may use any form. */
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
  /** For example #d73a4a; null for none. */
  readonly color: string | null;
}

export interface TrackerMember {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly is_active: boolean;
}

/** The author: a person, or an agent that works for one. */
export interface Author {
  readonly kind: 'user' | 'agent';
  readonly id: string;
  readonly name: string;
}

export interface Issue {
  readonly id: string;
  /** For example WEB-12; null where the tracker has no keys. */
  readonly key: string | null;
  readonly project_id: ProjectId;
  readonly name: string;
  readonly description_html: CleanHtml | null;
  readonly detail_layout: DetailLayout | null;
  readonly state: TrackerState;
  readonly priority: Priority;
  readonly labels: readonly TrackerLabel[];
  readonly assignees: readonly { readonly id: string; readonly name: string }[];
  readonly parent_id: string | null;
  readonly parent_key: string | null;
  readonly start_date: string | null;
  readonly target_date: string | null;
  readonly sort_order: number;
  /** Increases with every change; null where the tracker has no versions. */
  readonly version: number | null;
  readonly created_by: Author | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** An issue as search shows it. `position` continues the list after it. */
export type IssueRow = Pick<
  Issue,
  'id' | 'key' | 'project_id' | 'name' | 'state' | 'priority' | 'target_date' | 'updated_at'
> & { readonly position: string };

export interface IssueQuery {
  /** The query as typed; empty for everything. */
  readonly query: string;
  /** `position` of the previous row; null for the first page. */
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
  /** Names the subject of the comment: for the same subject no second comment is made, and the first is returned. */
  readonly only_one_of?: string;
}

/** Undefined fields stay unchanged. */
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
 * The place of issues: Errand's own store, or another tracker. The rules (which changes, by whom) are applied before
 * it is called; it only stores and finds. Everything outside of `within` counts as not found.
 */
export interface TaskerAdapter {
  /** Whether its changes are part of the call's transaction. Another tracker is called outside of transactions. */
  readonly is_local: boolean;
  readonly states: (work: ReadWork, project: ProjectId) => Promise<readonly TrackerState[]>;
  readonly labels: (work: ReadWork, project: ProjectId) => Promise<readonly ProjectLabel[]>;
  readonly members: (work: ReadWork, project: ProjectId) => Promise<readonly TrackerMember[]>;
  readonly find: (work: ReadWork, within: Within, id: string) => Promise<Issue | null>;
  /** The ids of the issue and its ancestors, itself first, at most `most`; none when it does not exist. */
  readonly lineage: (work: ReadWork, within: Within, id: string, most: number) => Promise<readonly string[]>;
  readonly search: (work: ReadWork, within: Within, query: IssueQuery) => Promise<readonly IssueRow[]>;
  /** The newest comments, at most `limit`, and the total. */
  readonly comments: (
    work: ReadWork,
    issue: Issue,
    limit: number,
  ) => Promise<{ readonly count: number; readonly latest: readonly IssueComment[] }>;
  /** A repeated call with the same `operation_id` returns the issue of the first one. */
  readonly create: (work: TrackerWork, issue: NewIssue) => Promise<Issue>;
  readonly update: (work: TrackerWork, issue: Issue, changes: IssueChanges) => Promise<Issue>;
  /** A repeated call with the same `operation_id` returns the comment of the first one. */
  readonly comment: (work: TrackerWork, issue: Issue, comment: NewComment) => Promise<IssueComment>;
  /**
   * Runs alone among all work of the same name: work that reads an issue and writes the result would otherwise
   * overwrite a change in between. A tracker whose transactions run one after another runs it at once.
   */
  readonly exclusively: <T>(work: TrackerWork, name: string, run: () => Promise<T>) => Promise<T>;
}

/** Another tracker whose projects can be imported into Errand. */
export interface ProjectSource {
  readonly projects: () => Promise<readonly { readonly id: string; readonly name: string }[]>;
}
