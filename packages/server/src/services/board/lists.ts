import type { AttemptRow, BoardRow } from '#domain/attempt';
import type { AttemptId, ProjectId, SessionId, WorkItemId } from '#domain/ids';
import type { Repo } from '#domain/project';
import type { Within } from '#domain/reach';
import { isReady } from '#domain/ready';
import { early } from '#services/early';
import { fittingRows, type PageOf, type PageRequest, readPage, unlessSized } from '#services/pages';
import type { Ports } from '#services/ports';
import { isKeptHere } from '#services/projects';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { type GrantedProject, onlyIn } from '#services/tasker/lookup';
import { createTrackerProjects } from '#services/tasker/projects';
import type { ReadWork } from '#services/work';
import type { Page } from '#store/store';
import { boundAttempt, boundTask, projectOf, taskOf } from './lookup.ts';
import { type SeenTask, seenTask, seenTasks } from './seen-task.ts';
import { stateNamed, statesOf } from './statuses.ts';

interface TaskFilter extends PageRequest {
  readonly project_id: ProjectId;
  readonly status?: string | undefined;
  readonly ready?: boolean | undefined;
}

interface BoardProject extends GrantedProject {
  readonly is_on_board: boolean;
}

interface AttemptList extends PageOf<AttemptRow> {
  readonly latest_attempt_id: AttemptId | null;
  readonly latest_session_id: SessionId | null;
}

/** A row and its position in the list. */
interface ListEntry<Row> {
  readonly id: string;
  readonly row: Row;
}

const BATCH = 200;

const attemptPlace = ({ created_at, id }: Pick<AttemptRow, 'id' | 'created_at'>): string => `${created_at}/${id}`;

function attemptAt(place: string): Pick<AttemptRow, 'id' | 'created_at'> {
  const [created_at = '', id = ''] = place.split('/');
  // Safe: `attemptPlace` wrote it, and a cursor cannot be made by others.
  return { id: id as AttemptId, created_at: Number(created_at) };
}

/** The lists of the board, page by page. */
export function createBoardLists({ clock, cursors }: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) {
  /** Tasks that can be started now, in the order of `next_task`. */
  async function readyTasks(
    { tx }: ReadWork,
    within: Within,
    { after, limit }: Page,
    isWanted: (row: BoardRow) => boolean,
  ): Promise<readonly ListEntry<BoardRow>[]> {
    const ready: ListEntry<BoardRow>[] = [];
    // The first look reads a page: nearly always all of its tasks are ready.
    for (let offset = Number(after ?? 0), size = limit; ready.length < limit; offset += size, size = BATCH) {
      const rows = await tx.board.candidates(within, { offset, limit: size });
      const from = offset;
      const placed = rows.map((row, index) => ({ id: String(from + index + 1), row }));
      ready.push(...placed.filter(({ row }) => isReady(row, clock()) && isWanted(row)));
      if (rows.length < size) break;
    }
    return ready.slice(0, limit);
  }

  // The tools of the board take keys also while issues are kept elsewhere.
  const projects = createTrackerProjects({ cursors }, { is_local: true });

  return {
    projects: async (work: ReadWork, page: PageRequest): Promise<PageOf<BoardProject>> => {
      const { rows, ...more } = await projects.list(work, page);
      return { rows: rows.map((row) => ({ ...row, is_on_board: isKeptHere(adapter, row.project) })), ...more };
    },

    tasks: async (
      work: ReadWork,
      { project_id, status, ready = false, ...page }: TaskFilter,
    ): Promise<PageOf<SeenTask>> => {
      const within = onlyIn(work.within, project_id);
      const bound = early(boundTask(work));

      const reading = early(
        readPage(cursors, page, {
          name: `board:${work.caller.principal_id}:${project_id}:${status ?? ''}:${ready ? 'ready' : ''}`,
          read: async (part): Promise<readonly ListEntry<BoardRow>[]> => {
            const task_id = await bound;
            const isWanted = (row: BoardRow): boolean =>
              (status === undefined || row.state_slug === status) && (task_id === null || row.id === task_id);
            if (ready) return readyTasks(work, within, part, isWanted);
            const { after, limit } = part;
            // Safe: the id in a cursor of this list is one of its tasks.
            const before = after as WorkItemId | null;
            const found = await work.tx.board.tasks(within, {
              project_id,
              status: status ?? null,
              task_id,
              before,
              limit,
            });
            return found.map((row) => ({ id: row.id, row }));
          },
          fitting: unlessSized(fittingRows),
        }),
      );
      const states = early(status === undefined ? Promise.resolve([]) : statesOf(work, { id: project_id }));
      await projectOf(adapter, work, project_id);
      if (status !== undefined) stateNamed(await states, status);
      await bound;
      const { rows, ...more } = await reading;
      const seen = await seenTasks(
        work,
        rows.map(({ row }) => row),
        clock(),
      );
      return { rows: seen, ...more };
    },

    attempts: async (work: ReadWork, id: WorkItemId, page: PageRequest): Promise<AttemptList> => {
      const task = await taskOf(work, id);
      const { latest_attempt_id, latest_session_id } = (await seenTask(work, task.id, clock())).row;
      const latest = { latest_attempt_id, latest_session_id };
      const own = await boundAttempt(work);
      if (own !== null) return { rows: [own], ...latest };

      const { rows, ...more } = await readPage(cursors, page, {
        name: `attempts:${work.caller.principal_id}:${task.id}`,
        read: async ({ after, limit }) => {
          const part = { after: after === null ? null : attemptAt(after), limit };
          const found = await work.tx.attempts.ofItem(work.within, task.id, part);
          return found.map((row) => ({ id: attemptPlace(row), row }));
        },
        fitting: unlessSized(fittingRows),
      });
      return { rows: rows.map(({ row }) => row), ...latest, ...more };
    },

    repos: async (work: ReadWork, project_id: ProjectId, page: PageRequest): Promise<PageOf<Repo>> => {
      const project = await projectOf(adapter, work, project_id);
      const repos = await work.tx.projects.repos(work.caller.workspace_id, project.id);
      const { rows, ...more } = await readPage(cursors, page, {
        name: `board repos:${work.caller.principal_id}:${project.id}`,
        read: async ({ after, limit }) =>
          repos
            .map((row, index) => ({ id: String(index + 1), row }))
            .slice(Number(after ?? 0))
            .slice(0, limit),
        fitting: unlessSized(fittingRows),
      });
      return { rows: rows.map(({ row }) => row), ...more };
    },
  };
}
