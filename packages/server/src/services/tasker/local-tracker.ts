import { blocksOf, layoutFrom } from '#domain/blocks';
import type { LabelId, UserId, WorkItemId } from '#domain/ids';
import { queryTerms } from '#domain/search-terms';
import { tickChanges } from '#domain/tick';
import type { Comment, SearchTier, WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { endClaim } from '#services/board/end-claim';
import { expireQuestionsIn } from '#services/board/expire-questions';
import type { Ports } from '#services/ports';
import type { ReadWork, TrackerWork } from '#services/work';
import type { Transaction } from '#store/store';
import type { Issue, IssueChanges, IssueRow, TaskerAdapter } from './adapter.ts';
import { authorOf, changedItem, issueOfItem, newItem, stateOf, taskId } from './local-issues.ts';
import { onlyIn } from './lookup.ts';

const positionOf = (tier: SearchTier, id: string): string => `${tier}:${id}`;

function placeOf(position: string): { readonly tier: SearchTier; readonly id: WorkItemId } {
  const [tier = '', id = ''] = position.split(':');
  return { tier: tier === 'title' ? 'title' : 'text', id: taskId(id) };
}

/** Sets the given labels and assignees. The service has checked that the ids belong to this tracker. */
async function setLinks(
  tx: Transaction,
  item: WorkItem,
  { label_ids, assignee_ids }: Pick<IssueChanges, 'label_ids' | 'assignee_ids'>,
): Promise<void> {
  // Safe: they were checked.
  if (label_ids !== undefined) await tx.workItems.setLabels(item, label_ids as readonly LabelId[]);
  if (assignee_ids !== undefined) await tx.workItems.setAssignees(item, assignee_ids as readonly UserId[]);
}

/** Notes who ticked the items of the checklists that a change has ticked. */
async function noteTicks(
  { tx, caller }: { readonly tx: Transaction; readonly caller: TrackerWork['caller'] },
  before: string | null,
  item: WorkItem,
): Promise<void> {
  if (before === item.detail_layout) return;
  const { ticked, unticked } = tickChanges(blocksOf(layoutFrom(before)), blocksOf(layoutFrom(item.detail_layout)));
  await tx.ticks.drop(item, unticked);
  const { user_id, agent_id } = caller;
  for (const item_id of ticked) {
    await tx.ticks.put(item, { work_item_id: item.id, item_id, user_id, agent_id, at: tx.now });
  }
}

/** Errand's own store as a tracker, with the items that the todo list and the board show. */
export function localTracker({ ids }: Pick<Ports, 'ids'>): TaskerAdapter {
  const commentsOf = async ({ tx, caller }: ReadWork, issue: Issue, limit: number) => {
    const within = onlyIn(caller, issue.project_id);
    const id = taskId(issue.id);
    const latest = await tx.workItems.comments(within, id, { after: null, limit });
    return {
      count: await tx.workItems.countComments(within, id),
      latest: latest.map(({ author_name, agent_name, author_user_id, author_agent_id, ...comment }) => ({
        id: comment.id,
        comment_html: comment.comment_html,
        author:
          author_agent_id === null
            ? ({ kind: 'user', id: author_user_id, name: author_name } as const)
            : ({ kind: 'agent', id: author_agent_id, name: agent_name ?? '' } as const),
        created_at: comment.created_at,
      })),
    };
  };

  return {
    is_local: true,
    states: async ({ tx, caller }, project) => (await tx.projects.states(caller.workspace_id, project)).map(stateOf),
    labels: async ({ tx, caller }, project) =>
      (await tx.projects.labels(caller.workspace_id, project)).map(({ id, name, color }) => ({ id, name, color })),
    members: async ({ tx, caller }, project) =>
      (await tx.projects.members(caller.workspace_id, project)).map(({ user_id, name, role, status }) => ({
        id: user_id,
        name,
        role,
        is_active: status === 'active',
      })),

    find: async ({ tx }, within, id) => {
      const item = await tx.workItems.find(within, taskId(id));
      return item === null ? null : issueOfItem(tx, item);
    },

    lineage: ({ tx }, within, id, most) => tx.workItems.lineage(within, taskId(id), most),

    search: async ({ tx }, within, { query, after, limit }): Promise<readonly IssueRow[]> => {
      const terms = queryTerms(query);
      // A query without letters or digits finds nothing; without terms the store would return everything.
      if (terms.length === 0 && query.trim() !== '') return [];
      const found = await tx.workItems.search(within, { terms, after: after === null ? null : placeOf(after), limit });
      return found.map((row) => ({
        id: row.id,
        key: row.key,
        project_id: row.project_id,
        name: row.title,
        state: { id: row.state_id, name: row.state_name, group: row.state_group },
        priority: row.priority,
        target_date: row.target_date,
        updated_at: row.updated_at,
        position: positionOf(row.tier, row.id),
      }));
    },

    comments: commentsOf,

    create: ({ caller, transaction }, issue) =>
      transaction(async (tx) => {
        const project = await tx.projects.find(caller.workspace_id, issue.project_id);
        const item = newItem(issue, {
          id: ids(),
          caller,
          owner_id: project?.owner_id ?? null,
          now: tx.now,
        });
        await tx.workItems.insert(item);
        await setLinks(tx, item, issue);
        await noteTicks({ tx, caller }, null, item);
        return issueOfItem(tx, item);
      }),

    update: ({ caller, transaction }, issue, changes) =>
      transaction(async (tx) => {
        const item = await tx.workItems.find(onlyIn(caller, issue.project_id), taskId(issue.id));
        if (item === null) throw new ErrandError('not_found', `Issue ${issue.id} is gone.`);
        const changed = changedItem(item, changes, tx.now);
        await tx.workItems.update(changed);
        await setLinks(tx, changed, changes);
        await noteTicks({ tx, caller }, item.detail_layout, changed);
        if (changes.state !== undefined && changes.state.group !== 'started') await endClaim(tx, item);
        if (changes.state !== undefined) await expireQuestionsIn(tx, changes.state.group, item);
        return issueOfItem(tx, changed);
      }),

    exclusively: (_, __, run) => run(),

    comment: ({ caller, transaction }, issue, { comment_html }) =>
      transaction(async (tx) => {
        const comment: Comment = {
          id: ids(),
          work_item_id: taskId(issue.id),
          comment_html,
          author_user_id: caller.user_id,
          author_agent_id: caller.agent_id,
          created_at: tx.now,
        };
        await tx.workItems.insertComment(comment);
        const author = await authorOf(tx, caller);
        return { id: comment.id, comment_html, author, created_at: comment.created_at };
      }),
  };
}
