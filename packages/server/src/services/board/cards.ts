import type { BoardRow } from '#domain/attempt';
import type { CardParts, CardPlace } from '#domain/card';
import type { AttemptId, ProjectId, WorkItemId } from '#domain/ids';
import type { Project, State } from '#domain/project';
import { early } from '#services/early';
import { type PageOf, type PageRequest, readPage } from '#services/pages';
import type { Ports } from '#services/ports';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { onlyIn } from '#services/tasker/lookup';
import type { ReadWork } from '#services/work';
import { boundTask, projectOf } from './lookup.ts';
import { type SeenTask, seenTasks } from './seen-task.ts';
import { stateNamed, statesOf } from './statuses.ts';

interface BoardRequest extends PageRequest {
  readonly project_id: ProjectId;
  /** Only this column. */
  readonly status?: string | undefined;
  /** Only these tasks. */
  readonly task_ids?: readonly WorkItemId[] | undefined;
  /** Also the parents of these tasks, and what waits for them: what a change of them changes on the board. */
  readonly related?: boolean | undefined;
  /** Only the sub-tasks of this task. */
  readonly parent_id?: WorkItemId | undefined;
}

interface Column extends Omit<PageOf<never>, 'rows'> {
  readonly state: State;
  readonly count: number;
  readonly cards: readonly SeenTask[];
}

interface Board {
  readonly project: Project;
  readonly columns: readonly Column[];
  readonly parts: CardParts;
}

/** How many sub-tasks of one task are shown. */
const MAX_CHILDREN = 200;

/** How many tasks are shown because they are related to those that were asked for. */
const MAX_RELATED = 100;

/** How many cards that need a person are put before the others. */
const MAX_FLOATING = 50;

const POSITION = /^(-?[\d.e+]{1,30}):(.{1,64})$/;

function placeIn(cursor: string | null): CardPlace | null {
  const [, place, id] = POSITION.exec(cursor ?? '') ?? [];
  // Safe: a cursor cannot be made by others.
  return place === undefined ? null : { place: Number(place), id: id as WorkItemId };
}

const isEnded = ({ state_group }: State): boolean => state_group === 'completed' || state_group === 'cancelled';

/** The tasks that a request names; undefined for whole columns. */
async function namedIn(
  { tx, caller: { workspace_id } }: ReadWork,
  { task_ids, related, parent_id }: BoardRequest,
): Promise<readonly WorkItemId[] | undefined> {
  if (parent_id !== undefined) return tx.cards.children(workspace_id, parent_id, MAX_CHILDREN);
  if (task_ids === undefined || related !== true) return task_ids;
  return [...new Set([...task_ids, ...(await tx.cards.related(workspace_id, task_ids, MAX_RELATED))])];
}

/** What a caller within an attempt may see of its task's card: nothing of other attempts. */
function withoutSiblings(parts: CardParts, rows: readonly BoardRow[], own: AttemptId | null): CardParts {
  const isNewest = rows.every(({ latest_attempt_id }) => latest_attempt_id === own);
  return {
    ...parts,
    runs: parts.runs.filter(({ attempt_id }) => attempt_id === own),
    ...(!isNewest && { questions: [], files: [] }),
  };
}

/** The board of a project for people: its columns, and what each card shows, in a few queries for all cards. */
export const createCards =
  ({ clock, cursors }: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) =>
  async (work: ReadWork, request: BoardRequest): Promise<Board> => {
    const { project_id, status, limit, cursor } = request;
    const { tx, caller } = work;
    // A caller within an attempt sees its task alone: no count may reveal other tasks.
    const counting = early(
      caller.attempt_id === null ? tx.cards.counts(caller.workspace_id, project_id) : Promise.resolve(null),
    );
    const reading = early(statesOf(work, { id: project_id }));
    const project = await projectOf(adapter, work, project_id);
    const within = onlyIn(work.within, project_id);
    const states = await reading;
    const shown = status === undefined ? states : [stateNamed(states, status)];
    const own = await boundTask(work);
    const only = own === null ? await namedIn(work, request) : [own];
    const counted = await counting;
    const counts = counted && new Map(counted.map(({ state_id, count }) => [state_id, Number(count)]));

    /**
     * The ids of a column. Tasks that need a person come first, and again at their own place: a page does not know
     * them.
     */
    async function idsOf(state: State): Promise<PageOf<WorkItemId>> {
      if (only !== undefined) return { rows: [] };
      const { rows, ...more } = await readPage(
        cursors,
        { limit, cursor },
        {
          name: `cards:${caller.principal_id}:${project_id}:${state.id}`,
          read: async ({ after, limit }) => {
            const query = {
              workspace_id: caller.workspace_id,
              project_id,
              state_id: state.id,
              is_ended: isEnded(state),
            };
            const found = await tx.cards.column({ ...query, after: placeIn(after), limit });
            return found.map((card) => ({ id: `${card.place}:${card.id}`, row: card.id }));
          },
        },
      );
      return { rows: rows.map(({ row }) => row), ...more };
    }

    const isFirst = cursor === undefined && only === undefined;
    const [floating, ...placed] = await Promise.all([
      isFirst ? tx.cards.needing(caller.workspace_id, project_id, MAX_FLOATING) : [],
      ...shown.map(idsOf),
    ]);
    const pages = new Map(shown.map((state, at) => [state, placed[at]]));
    const ids = [...new Set([...(only ?? floating), ...placed.flatMap(({ rows }) => rows)])];
    const [rows, parts] = await Promise.all([tx.cards.rows(within, ids), tx.cards.parts(within, ids)]);
    const seen = new Map((await seenTasks(work, rows, clock())).map((card) => [card.row.id, card]));
    const columns = shown.map((state): Column => {
      const { rows: placed = [], ...more } = pages.get(state) ?? {};
      const cards = [...new Set([...(only ?? floating), ...placed])]
        .flatMap((id) => seen.get(id) ?? [])
        .filter(({ row }) => row.state_slug === state.slug);
      return { state, count: counts === null ? cards.length : (counts.get(state.id) ?? 0), cards, ...more };
    });
    return { project, columns, parts: own === null ? parts : withoutSiblings(parts, rows, caller.attempt_id) };
  };
