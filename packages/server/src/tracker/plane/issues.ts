import { DetailLayout } from '#domain/blocks';
import type { ProjectId } from '#domain/ids';
import type { Issue, IssueChanges, NewIssue } from '#services/tasker/adapter';
import type { Item } from './answers.ts';
import { isWrittenBy, type Operation, sectionOf } from './blocks-html.ts';
import { htmlForPlane, type Meaning, meaningOf, newDescription, putTogether, takeApart } from './description.ts';

export const keepsLayout = (answer: object): boolean => 'detail_layout' in answer;

/** The field of a fork may hold more than blocks. */
const fieldsIn = (layout: unknown): Readonly<Record<string, unknown>> =>
  typeof layout === 'object' && layout !== null && !Array.isArray(layout) ? { ...layout } : {};

/** The fork's own field wins over the section; an empty field leaves the section valid. */
const layoutOfItem = (item: Item, section: DetailLayout | null): DetailLayout | null =>
  DetailLayout.safeParse({ nodedc_structured_blocks: fieldsIn(item.detail_layout).nodedc_structured_blocks }).data ??
  section;

export const meaningOfItem = (item: Item): Meaning => meaningOf(takeApart(item.description_html));

export function issueOf(project_id: ProjectId, item: Item, meaning = meaningOfItem(item)): Issue {
  const { description_html, detail_layout } = meaning;
  return {
    id: item.id,
    key: null,
    project_id,
    name: item.name,
    description_html,
    detail_layout: layoutOfItem(item, detail_layout),
    state: item.state,
    priority: item.priority,
    labels: item.labels,
    assignees: item.assignees,
    parent_id: item.parent,
    parent_key: null,
    start_date: item.start_date,
    target_date: item.target_date,
    sort_order: item.sort_order,
    version: null,
    created_by: item.created_by === null ? null : { kind: 'user', ...item.created_by },
    created_at: item.created_at,
    updated_at: item.updated_at,
  };
}

export const bodyOfNew = (
  issue: NewIssue,
  hasField: boolean,
  operation: Operation,
): Readonly<Record<string, unknown>> => ({
  name: issue.name,
  description_html: newDescription(issue.description_html, hasField ? '' : sectionOf(issue.detail_layout, operation)),
  ...(hasField && issue.detail_layout !== null ? { detail_layout: issue.detail_layout } : {}),
  state: issue.state.id,
  priority: issue.priority,
  labels: issue.label_ids,
  assignees: issue.assignee_ids,
  parent: issue.parent_id,
  start_date: issue.start_date,
  target_date: issue.target_date,
});

const mergedLayout = (kept: unknown, layout: DetailLayout | null): Readonly<Record<string, unknown>> => ({
  ...fieldsIn(kept),
  nodedc_structured_blocks: layout?.nodedc_structured_blocks ?? { version: 1, blocks: [] },
});

const isGiven = (value: unknown): boolean => value !== undefined;

/** Whether a change touches the description, which holds the blocks in a Plane without a field for them. */
export const touchesDescription = ({ description_html, detail_layout }: IssueChanges): boolean =>
  isGiven(description_html) || isGiven(detail_layout);

/** The description after a change: unchanged parts stay exactly as in Plane. */
export function bodyOfDescription(
  { description_html, detail_layout }: IssueChanges,
  item: Item,
  operation: Operation,
): Readonly<Record<string, unknown>> {
  const stored = takeApart(item.description_html);
  const hasField = keepsLayout(item);
  const isDone = detail_layout === undefined || isWrittenBy(stored.section, operation);
  const prose = description_html === undefined ? stored.prose : htmlForPlane(description_html ?? '');
  const section = isDone ? stored.section : hasField ? '' : sectionOf(detail_layout, operation, stored.section);
  const isSame = prose === stored.prose && section === stored.section;
  return {
    ...(isSame ? {} : { description_html: putTogether({ prose, section }) }),
    ...(hasField && !isDone ? { detail_layout: mergedLayout(item.detail_layout, detail_layout) } : {}),
  };
}

export function bodyOfChanges(changes: IssueChanges): Readonly<Record<string, unknown>> {
  const { name, priority, start_date, target_date, parent_id, state, sort_order, label_ids, assignee_ids } = changes;
  const fields = {
    name,
    priority,
    start_date,
    target_date,
    parent: parent_id,
    state: state?.id,
    sort_order,
    labels: label_ids,
    assignees: assignee_ids,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
}
