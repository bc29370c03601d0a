import { say } from '#advice';
import { layoutFrom } from '#domain/blocks';
import { isProgram } from '#domain/caller';
import type { WorkItemId } from '#domain/ids';
import type { TodoList } from '#domain/project';
import { rightsIn } from '#domain/reach';
import { type TodoRow, todoDescription, type WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { deleteItem } from './attempts/delete-item.ts';
import { claimFor } from './board/claims.ts';
import { endClaim } from './board/end-claim.ts';
import { expireQuestionsIn } from './board/expire-questions.ts';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { fittingTodos, shortenTodos } from './short-todos.ts';
import { mustBeChecked, mustBeGreen, mustPermit } from './tasker/completion.ts';
import type { ReadWork, WriteWork } from './work.ts';

export interface TodoFields {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

interface ListOptions extends PageRequest {
  readonly status: 'all' | 'pending' | 'completed';
  /** Only this todo, with its whole description. */
  readonly task_id?: WorkItemId | undefined;
}

const COMPLETED = { all: null, pending: false, completed: true } as const;

/** How many todos are counted at most. This number means that many or more. */
const MAX_COUNTED = 10_000;

export interface TodoPage extends PageOf<TodoRow> {
  /** The number of todos in the whole list; with `next_cursor` only. */
  readonly total?: number;
}

const CUT_HINT = 'Descriptions that end in … are shortened: ask with task_id for the whole one.';

/** Returns the same row in nearly every case, because lists are frequent. */
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

  async function ownTodo({ tx, caller, subject }: ReadWork, id: WorkItemId): Promise<WorkItem> {
    const item = await tx.workItems.findTodo(caller.workspace_id, id);
    if (item === null) {
      throw new ErrandError('not_found', `No task ${id}.`, {
        hint: say`${{ call: 'todo_list_tasks' }} for the ids of this user.`,
      });
    }
    if (item.owner_id !== subject) {
      throw new ErrandError('unauthorized', 'This task belongs to another user.', {
        hint: say`${{ call: 'todo_list_tasks' }} for the tasks of this user.`,
      });
    }
    return item;
  }

  /**
   * A todo is also a task of the board, and completing it is the same action by either name: where the caller has a
   * grant for the list as a project, that grant decides.
   */
  function mayComplete({ caller }: WriteWork, { project_id }: WorkItem): void {
    const rights = rightsIn(caller.reach, project_id);
    if (rights !== null) mustPermit(rights, 'completed');
  }

  /** The project is read only where a gate may apply: to an item with blocks, and to a caller that is a program. */
  async function mustPassGates(work: WriteWork, item: WorkItem): Promise<void> {
    const { workspace_id, project_id, detail_layout } = item;
    if (detail_layout === null && !isProgram(work.caller)) return;
    const project = await work.tx.projects.find(workspace_id, project_id);
    if (project === null) return;
    mustBeChecked(project, layoutFrom(detail_layout));
    await mustBeGreen(work, project, item);
  }

  return {
    add: async (
      work: WriteWork,
      { title, description }: TodoFields & { readonly title: string },
    ): Promise<WorkItem> => {
      const list = await listOf(work);
      const { now } = work.tx;
      const item: WorkItem = {
        id: ids(),
        workspace_id: list.workspace_id,
        project_id: list.project_id,
        number: null,
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

    list: async (work: ReadWork, { status, task_id, ...page }: ListOptions): Promise<TodoPage> => {
      if (task_id !== undefined) {
        const { id, title, description, completed_at } = await ownTodo(work, task_id);
        return { rows: [shortened({ id, title, description, completed: completed_at !== null })] };
      }
      const { tx, subject } = work;
      const query = { completed: COMPLETED[status], limit: MAX_COUNTED };
      const isSized = page.limit !== undefined;
      let total = 0;
      const follow = async (after: WorkItemId, shown: number): Promise<number> => {
        if (page.cursor === undefined) {
          // All but the shown ones follow a first page. Counted from a todo on, the block that it is in would be read.
          const all = await tx.workItems.countTodos(subject, { ...query, limit: MAX_COUNTED + shown, after: null });
          total = Math.min(all, MAX_COUNTED);
          return Math.max(all - shown, 0);
        }
        const counts = [after, null].map((from) => tx.workItems.countTodos(subject, { ...query, after: from }));
        const [following = 0, all = 0] = await Promise.all(counts);
        total = all;
        return following;
      };
      // The casts are safe: the id in a cursor of this list is one of its tasks.
      const { rows, hint, ...more } = await readPage(cursors, page, {
        name: `todo:${subject}:${status}`,
        read: async ({ after, limit }) => {
          const found = await tx.workItems.todos(subject, { ...query, after: after as WorkItemId | null, limit });
          return found.map(shortened);
        },
        fitting: fittingTodos,
        count: (after, shown) => follow(after as WorkItemId, shown),
      });
      const short = shortenTodos(rows, isSized);
      const hints = [...(hint === undefined ? [] : [hint]), ...(short.isCut ? [CUT_HINT] : [])];
      return {
        rows: short.rows,
        ...more,
        ...(hint !== undefined && { total }),
        ...(hints.length > 0 && { hint: hints.join(' ') }),
      };
    },

    /** Completes or reopens; without `wish` it toggles. */
    complete: async (work: WriteWork, id: WorkItemId, wish: boolean | undefined): Promise<WorkItem> => {
      const item = await ownTodo(work, id);
      const completed = wish ?? item.completed_at === null;
      if (completed === (item.completed_at !== null)) return item;

      if (completed) mayComplete(work, item);
      if (completed) await mustPassGates(work, item);
      await claimFor(work, item);
      const list = await listOf(work);
      const moved: WorkItem = {
        ...item,
        state_id: completed ? list.completed_state_id : list.pending_state_id,
        completed_at: completed ? work.tx.now : null,
        version: item.version + 1,
        updated_at: work.tx.now,
      };
      await work.tx.workItems.update(moved);
      await endClaim(work.tx, item);
      if (completed) await expireQuestionsIn(work.tx, 'completed', item);
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
