import type { Approval } from '#domain/approval';
import type { AttemptRow } from '#domain/attempt';
import type { AuditEvent } from '#domain/audit';
import type { AgentId, UserId, WorkItemId } from '#domain/ids';
import type { CommentRow } from '#domain/work-item';
import { type PageOf, type PageRequest, readPage } from '#services/pages';
import type { Ports } from '#services/ports';
import type { Author } from '#services/tasker/adapter';
import { authorOf } from '#services/tasker/local-issues';
import type { ReadWork } from '#services/work';
import { boundAttempt, taskOf } from './lookup.ts';

/** A story holds the newest of each kind, up to this many. */
const MAX_OF_KIND = 500;

/** Calls that are no entries of their own: the story has the comment, or the attempt, that they made. */
const SHOWN_OTHERWISE = new Set(['tasker_append_comment', 'start_task_attempt']);

interface EntryHead {
  readonly id: string;
  readonly at: number;
  readonly by: Author | null;
}

export type StoryEntry = EntryHead &
  (
    | { readonly kind: 'comment'; readonly comment: CommentRow }
    | { readonly kind: 'attempt'; readonly attempt: AttemptRow }
    | {
        readonly kind: 'question';
        readonly asked: Approval;
        /** The executor that asked; null when an agent or a person did. */
        readonly executor: string | null;
        readonly answered_by: Author | null;
      }
    | { readonly kind: 'change'; readonly change: AuditEvent }
  );

/** What happened to a task, newest first: comments, attempts, questions with their answers, and changes with who made them. */
export function createStory({ cursors }: Pick<Ports, 'cursors'>) {
  return async (work: ReadWork, id: WorkItemId, page: PageRequest): Promise<PageOf<StoryEntry>> => {
    const { tx, within, caller } = work;
    const { workspace_id } = caller;
    const task = await taskOf(work, id);
    const own = await boundAttempt(work);
    const names = new Map<string, Author | null>();
    async function who(user_id: UserId | null, agent_id: AgentId | null): Promise<Author | null> {
      const key = agent_id ?? user_id ?? '';
      if (!names.has(key)) names.set(key, await authorOf(tx, { workspace_id, user_id, agent_id }));
      return names.get(key) ?? null;
    }

    const comments = await tx.workItems.comments(within, task.id, { after: null, limit: MAX_OF_KIND });
    // A caller within an attempt sees no other attempts, and not who changed what.
    const attempts =
      own === null ? await tx.attempts.ofItem(within, task.id, { after: null, limit: MAX_OF_KIND }) : [own];
    const questions = await tx.approvals.ofItem(task, MAX_OF_KIND);
    const changes =
      own === null
        ? await tx.audit.list(workspace_id, { entity_id: task.id, outcome: 'ok', before: null, limit: MAX_OF_KIND })
        : [];

    const entries: StoryEntry[] = [];
    for (const comment of comments) {
      const by = await who(comment.author_user_id, comment.author_agent_id);
      entries.push({ kind: 'comment', id: comment.id, at: comment.created_at, by, comment });
    }
    for (const attempt of attempts) {
      const by = await who(attempt.created_by_user_id, attempt.created_by_agent_id);
      entries.push({ kind: 'attempt', id: attempt.id, at: attempt.created_at, by, attempt });
    }
    const executors = new Map(attempts.map((attempt) => [attempt.id, attempt.latest_session_executor]));
    for (const asked of questions) {
      const { attempt_id, asked_by_agent_id } = asked;
      if (own !== null && attempt_id !== own.id) continue;
      // An executor asks with the rights of the person who started it: that person did not ask.
      const executor = attempt_id === null || asked_by_agent_id !== null ? null : (executors.get(attempt_id) ?? null);
      const by = executor === null ? await who(asked.asked_by_user_id, asked_by_agent_id) : null;
      const answered_by = await who(asked.answered_by_user_id, asked.answered_by_agent_id);
      entries.push({ kind: 'question', id: asked.id, at: asked.created_at, by, asked, executor, answered_by });
    }
    for (const change of changes) {
      if (SHOWN_OTHERWISE.has(change.action)) continue;
      const by = await who(change.user_id, change.agent_id);
      entries.push({ kind: 'change', id: String(change.seq), at: change.at, by, change });
    }
    const placed = entries
      .map((entry) => ({ place: `${String(entry.at).padStart(15, '0')}:${entry.kind}:${entry.id}`, entry }))
      .toSorted((a, b) => (a.place < b.place ? 1 : -1));
    const { rows, ...more } = await readPage(cursors, page, {
      name: `story:${caller.principal_id}:${task.id}`,
      read: async ({ after, limit }) =>
        placed
          .filter(({ place }) => after === null || place < after)
          .slice(0, limit)
          .map(({ place, entry }) => ({ id: place, entry })),
    });
    return { rows: rows.map(({ entry }) => entry), ...more };
  };
}
