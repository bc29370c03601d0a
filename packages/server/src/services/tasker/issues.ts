import type { LayoutDraft } from '#domain/blocks';
import type { ProjectId } from '#domain/ids';
import { blocksFrom, checkedLayout } from '#domain/patch-blocks';
import { plainLine } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import type { CleanHtml } from '#domain/rich-text';
import type { Priority } from '#domain/work-item';
import { ErrandError } from '#errors';
import { fittingRows, type PageOf, type PageRequest, readPage, unlessSized } from '#services/pages';
import type { Ports } from '#services/ports';
import type { ReadWork, TrackerWork } from '#services/work';
import type { Issue, IssueComment, IssueRow, TaskerAdapter } from './adapter.ts';
import { changeIssue } from './change-issue.ts';
import { mayEnter } from './completion.ts';
import { issueOf, onlyIn, projectOf } from './lookup.ts';
import { createReferences } from './references.ts';

/** Fields of both create and update; an empty text clears the value. */
interface IssueFields {
  readonly description_html?: CleanHtml | undefined;
  readonly detail_layout?: LayoutDraft | undefined;
  readonly priority?: Priority | undefined;
  readonly start_date?: string | undefined;
  readonly target_date?: string | undefined;
  readonly parent_id?: string | undefined;
}

interface NewIssueFields extends IssueFields {
  readonly project_id: ProjectId;
  readonly name: string;
  readonly state_id?: string | undefined;
  readonly label_ids?: readonly string[] | undefined;
  readonly assignee_ids?: readonly string[] | undefined;
}

interface IssuePatch extends IssueFields {
  readonly issue_id: string;
  readonly name?: string | undefined;
  readonly expected_version?: number | undefined;
}

interface IssueSearch extends PageRequest {
  readonly query: string;
  readonly project_id?: ProjectId | undefined;
}

function mustBeInOrder(start: string | null, target: string | null): void {
  if (start === null || target === null || start <= target) return;
  throw refusal('target_date', `must not be before start_date, which is ${start}`);
}

/** The new value of a field: unchanged when it was not given, null when it was empty. */
const orNothing = <T extends string>(given: T | undefined): T | null | undefined => (given === '' ? null : given);

export function createIssues({ ids, cursors }: Ports, adapter: TaskerAdapter) {
  const references = createReferences(adapter);

  const layoutFrom = (draft: LayoutDraft) =>
    checkedLayout(blocksFrom(draft.nodedc_structured_blocks.blocks, 'detail_layout', { id: ids }), 'detail_layout');

  return {
    search: async (work: ReadWork, { query, project_id, ...page }: IssueSearch): Promise<PageOf<IssueRow>> => {
      if (project_id !== undefined) await projectOf(work, project_id);
      const within = project_id === undefined ? work.within : onlyIn(work.within, project_id);
      const { rows, ...more } = await readPage(cursors, page, {
        name: `issues:${work.caller.principal_id}:${project_id ?? ''}:${query}`,
        read: async (part) =>
          (await adapter.search(work, within, { query, ...part })).map((row) => ({ id: row.position, row })),
        fitting: unlessSized(fittingRows),
      });
      return { rows: rows.map(({ row }) => row), ...more };
    },

    get: async (
      work: ReadWork,
      id: string,
      most_comments: number,
    ): Promise<{ readonly issue: Issue; readonly count: number; readonly latest: readonly IssueComment[] }> => {
      const issue = await issueOf(adapter, work, id);
      return { issue, ...(await adapter.comments(work, issue, most_comments)) };
    },

    create: async (work: TrackerWork, fields: NewIssueFields): Promise<Issue> => {
      const project = await projectOf(work, fields.project_id);
      const name = plainLine('name', fields.name);
      const start_date = fields.start_date || null;
      const target_date = fields.target_date || null;
      mustBeInOrder(start_date, target_date);
      const detail_layout = fields.detail_layout === undefined ? null : layoutFrom(fields.detail_layout);
      const state = await references.state(work, project.id, fields.state_id);
      await mayEnter(work, project, { item: null, group: state.group, layout: detail_layout });

      const issue = await adapter.create(work, {
        project_id: project.id,
        name,
        description_html: fields.description_html || null,
        detail_layout,
        state,
        priority: fields.priority ?? 'none',
        label_ids: await references.labels(work, project.id, fields.label_ids ?? []),
        assignee_ids: await references.assignees(work, project.id, fields.assignee_ids ?? []),
        parent_id: fields.parent_id
          ? await references.parent(work, project.id, { parent_id: fields.parent_id, child_id: null })
          : null,
        start_date,
        target_date,
      });
      work.changed(null, issue);
      return issue;
    },

    update: async (work: TrackerWork, fields: IssuePatch): Promise<Issue> => {
      const { name, description_html, detail_layout, priority, start_date, target_date, parent_id } = fields;
      const given = [name, description_html, detail_layout, priority, start_date, target_date, parent_id];
      if (given.every((value) => value === undefined)) {
        throw new ErrandError('validation_error', 'No changes provided: give at least one field to change.');
      }
      return changeIssue(adapter, work, fields, async (issue) => {
        mustBeInOrder((start_date ?? issue.start_date) || null, (target_date ?? issue.target_date) || null);
        const write = async (parent: string | null | undefined): Promise<Issue> => {
          const changed = await adapter.update(work, issue, {
            name: name === undefined ? undefined : plainLine('name', name),
            description_html: orNothing(description_html),
            detail_layout: detail_layout === undefined ? undefined : layoutFrom(detail_layout),
            priority,
            start_date: orNothing(start_date),
            target_date: orNothing(target_date),
            parent_id: parent,
          });
          work.changed(issue, changed);
          return changed;
        };
        if (!parent_id) return write(orNothing(parent_id));
        // Two issues that become each other's parent at the same time would form a circle that neither call sees.
        return adapter.exclusively(work, `parents in ${issue.project_id}`, async () =>
          write(await references.parent(work, issue.project_id, { parent_id, child_id: issue.id })),
        );
      });
    },
  };
}
