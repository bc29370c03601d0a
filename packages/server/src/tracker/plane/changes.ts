import type { ProjectId } from '#domain/ids';
import { ErrandError } from '#errors';
import type { Issue, IssueChanges, TaskerAdapter } from '#services/tasker/adapter';
import type { TrackerWork } from '#services/work';
import { Changed, type Item } from './answers.ts';
import { newDescription } from './description.ts';
import {
  bodyOfChanges,
  bodyOfDescription,
  bodyOfNew,
  issueOf,
  keepsLayout,
  meaningOfItem,
  touchesDescription,
} from './issues.ts';
import { isKept, keepsBlocks } from './kept.ts';
import type { Lookups } from './lookups.ts';
import { makeOnce } from './make-once.ts';
import { items } from './paths.ts';
import type { PlaneClient } from './plane-client.ts';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What the answers have shown so far: only work items of a fork have the field for blocks. */
export interface ServerFeatures {
  has_layout_field: boolean;
}

/** Creates and changes issues in Plane. */
export function createIssueChanges(client: PlaneClient, lookups: Pick<Lookups, 'read'>, features: ServerFeatures) {
  const { failures, patch, clock } = client;

  async function seen(project: ProjectId, id: string): Promise<Item | null> {
    const item = await lookups.read(project, id);
    if (item !== null) features.has_layout_field ||= keepsLayout(item);
    return item;
  }

  async function read(project: ProjectId, id: string): Promise<Item> {
    const item = await seen(project, id);
    if (item === null) throw failures.notThere();
    return item;
  }

  // Refuse when the item has changed since it was read: the write would undo an edit in Plane.
  async function descriptionBody({ operation_id }: TrackerWork, issue: Issue, changes: IssueChanges) {
    if (!touchesDescription(changes)) return {};
    const item = await read(issue.project_id, issue.id);
    const meaning = meaningOfItem(item);
    const now = issueOf(issue.project_id, item, meaning);
    if (!same([now.description_html, now.detail_layout], [issue.description_html, issue.detail_layout]))
      throw failures.changedMeanwhile();
    if (changes.detail_layout !== undefined && !meaning.is_readable) throw failures.unreadableBlocks();
    return bodyOfDescription(changes, item, { operation_id, now: clock() });
  }

  // Plane silently drops assignees who may not work on the project.
  async function mustBeAssigned(before: Issue, after: Issue, wanted: readonly string[]): Promise<void> {
    const missing = wanted.filter((id) => !after.assignees.some((each) => each.id === id));
    if (missing.length === 0) return;
    const assignees = before.assignees.map(({ id }) => id);
    await patch(Changed, items(before.project_id, before.id), { assignees });
    throw new ErrandError('validation_error', 'Plane lets only active members who are no guests be assigned.', {
      details: { fields: missing.map((id) => ({ field: 'assignee_ids', problem: `${id} cannot be assigned` })) },
      hint: 'Leave them out, or ask a person to let them into the project.',
    });
  }

  const create: TaskerAdapter['create'] = async ({ operation_id }, issue) => {
    const hadField = features.has_layout_field;
    const { project_id, description_html, detail_layout } = issue;
    const made = await makeOnce(client, {
      path: items(project_id),
      body: bodyOfNew(issue, hadField, { operation_id, now: clock() }),
      operation_id,
      read: (id) => seen(project_id, id),
    });
    if (hadField || !features.has_layout_field || detail_layout === null) return issueOf(project_id, made);
    // The first issue in a fork shows that the field exists, when its blocks are already in the description.
    const body = { description_html: newDescription(description_html, ''), detail_layout };
    await patch(Changed, items(project_id, made.id), body);
    return issueOf(project_id, await read(project_id, made.id));
  };

  const update: TaskerAdapter['update'] = async (work, issue, changes) => {
    const body = { ...bodyOfChanges(changes), ...(await descriptionBody(work, issue, changes)) };
    if (Object.keys(body).length > 0) await patch(Changed, items(issue.project_id, issue.id), body);
    const item = await read(issue.project_id, issue.id);
    const operation = { operation_id: work.operation_id, now: clock() };
    const after = issueOf(issue.project_id, item);
    // Another client wrote from the state before this write, and has undone it.
    if (!isKept(changes, issue, after) || !keepsBlocks(changes, item, operation)) throw failures.notKept();
    await mustBeAssigned(issue, after, changes.assignee_ids ?? []);
    return after;
  };

  return { create, update };
}
