import { jsonLength, ROOM } from '#domain/answer-size';
import { layoutFrom } from '#domain/blocks';
import type { WorkItemId } from '#domain/ids';
import type { TodoList } from '#domain/project';
import { type TodoRow, todoDescription, type WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { endClaim } from './board/claims.ts';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { deleteItem } from './runs/delete-item.ts';
import { mustBeChecked } from './tasker/completion.ts';
import type { ReadWork, WriteWork } from './work.ts';

export interface TodoFields {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

interface ListOptions extends PageRequest {
  readonly status: 'all' | 'pending' | 'completed';
}

/** What a row takes besides its words. */
const ROW_CHARACTERS = 100;

const COMPLETED = { all: null, pending: false, completed: true } as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what takes more room in JSON
const ESCAPED = /["\\\0-\x1f]/;

/** How long a text is in an answer. */
const written = (text: string): number => (ESCAPED.test(text) ? jsonLength(text) : text.length);

/** How many of the rows fit into an answer that every client shows whole; at least one. Lists are asked for too often to write each row as JSON for it. */
function fitting(rows: readonly TodoRow[]): number {
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    characters += ROW_CHARACTERS + written(row.title) + (row.description === null ? 0 : written(row.description));
    if (characters > ROOM.page && index > 0) return index;
  }
  return rows.length;
}

/** The row itself in nearly every case: lists are asked for often. */
function shortened(row: TodoRow): TodoRow {
  const description = todoDescription(row.description);
  return description === row.description ? row : { ...row, description };
}

/** A todo list is the personal project of its user. */
export function createTodos({ ids, cursors }: Ports) {
  async function listOf({ tx, caller, subject }: ReadWork): Promise<TodoList> {
    const list = await tx.projects.todoList(caller.workspace_id, subject);
    if (list === null) {
      throw new ErrandError('unauthorized', 'user_id names no active user of this workspace.');
    }
    return list;
  }

  async function ownTodo({ tx, caller, subject }: WriteWork, id: WorkItemId): Promise<WorkItem> {
    const item = await tx.workItems.findTodo(caller.workspace_id, id);
    if (item === null) {
      throw new ErrandError('not_found', `No task ${id}.`, { hint: 'Call list_tasks for the ids of this user.' });
    }
    if (item.owner_id !== subject) {
      throw new ErrandError('unauthorized', 'This task belongs to another user.', {
        hint: 'Call list_tasks for the tasks of this user.',
      });
    }
    return item;
  }

  /** A todo without blocks has nothing that a gate could ask for. */
  async function mustPassGate({ tx }: WriteWork, { workspace_id, project_id, detail_layout }: WorkItem): Promise<void> {
    const project = detail_layout === null ? null : await tx.projects.find(workspace_id, project_id);
    if (project !== null) mustBeChecked(project, layoutFrom(detail_layout));
  }

  return {
    add: async (
      work: WriteWork,
      { title, description }: TodoFields & { readonly title: string },
    ): Promise<WorkItem> => {
      const list = await listOf(work);
      const { now } = work.tx;
      const item: WorkItem = {
        id: ids() as WorkItemId,
        workspace_id: list.workspace_id,
        project_id: list.project_id,
        owner_id: work.subject,
        state_id: list.pending_state_id,
        title,
        description: description || null,
        description_html: null,
        detail_layout: null,
        priority: 'none',
        sort_order: now,
        parent_id: null,
        start_date: null,
        target_date: null,
        completed_at: null,
        version: 1,
        created_by_user_id: work.caller.user_id,
        created_by_agent_id: work.caller.agent_id,
        created_at: now,
        updated_at: now,
      };
      await work.tx.workItems.insert(item);
      work.changed(null, item);
      return item;
    },

    list: (work: ReadWork, { status, ...page }: ListOptions): Promise<PageOf<TodoRow>> =>
      readPage(cursors, page, {
        name: `todo:${work.subject}:${status}`,
        read: async ({ after, limit }) => {
          const rows = await work.tx.workItems.todos(work.subject, {
            completed: COMPLETED[status],
            after: after as WorkItemId | null,
            limit,
          });
          return rows.map(shortened);
        },
        fitting,
      }),

    /** Completes or reopens; without a wish it does whichever the task is not. */
    complete: async (work: WriteWork, id: WorkItemId, wish: boolean | undefined): Promise<WorkItem> => {
      const item = await ownTodo(work, id);
      const completed = wish ?? item.completed_at === null;
      if (completed === (item.completed_at !== null)) return item;

      if (completed) await mustPassGate(work, item);
      const list = await listOf(work);
      const moved: WorkItem = {
        ...item,
        state_id: completed ? list.completed_state_id : list.pending_state_id,
        completed_at: completed ? work.tx.now : null,
        version: item.version + 1,
        updated_at: work.tx.now,
      };
      await work.tx.workItems.update(moved);
      await endClaim(work.tx, id);
      work.changed(item, moved);
      return moved;
    },

    update: async (work: WriteWork, id: WorkItemId, fields: TodoFields): Promise<WorkItem> => {
      if (fields.title === undefined && fields.description === undefined) {
        throw new ErrandError('validation_error', 'No changes provided: give title, description, or both.');
      }

      const item = await ownTodo(work, id);
      const changed: WorkItem = {
        ...item,
        title: fields.title ?? item.title,
        ...(fields.description !== undefined && { description: fields.description || null, description_html: null }),
        version: item.version + 1,
        updated_at: work.tx.now,
      };
      await work.tx.workItems.update(changed);
      work.changed(item, changed);
      return changed;
    },

    delete: async (work: WriteWork, id: WorkItemId): Promise<WorkItem> => {
      const item = await ownTodo(work, id);
      await deleteItem(work.tx, item);
      work.changed(item, null);
      return item;
    },
  };
}
