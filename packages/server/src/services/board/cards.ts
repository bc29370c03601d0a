import type { BoardRow } from '#domain/attempt';
import type { CardParts, CardPlace } from '#domain/card';
import type { ProjectId, WorkItemId } from '#domain/ids';
import type { Project, State } from '#domain/project';
import { isReady } from '#domain/ready';
import { type PageOf, type PageRequest, readPage } from '#services/pages';
import type { Ports } from '#services/ports';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { onlyIn } from '#services/tasker/lookup';
import type { ReadWork } from '#services/work';
import { boundTask, projectOf } from './lookup.ts';
import { stateNamed, statesOf } from './statuses.ts';

interface BoardRequest extends PageRequest {
  readonly project_id: ProjectId;
  /** Only this column. */
  readonly status?: string | undefined;
  /** Only these tasks. */
  readonly task_ids?: readonly WorkItemId[] | undefined;
  /** Only the sub-tasks of this task. */
  readonly parent_id?: WorkItemId | undefined;
}

interface SeenCard {
  readonly row: BoardRow;
  readonly is_ready: boolean;
}

interface Column extends Omit<PageOf<never>, 'rows'> {
  readonly state: State;
  readonly count: number;
  readonly cards: readonly SeenCard[];
}

interface Board {
  readonly project: Project;
  readonly columns: readonly Column[];
  readonly parts: CardParts;
}

/** How many sub-tasks of one task are shown. */
const MAX_CHILDREN = 200;

/** How many cards that need a person are put before the others. */
const MAX_FLOATING = 50;

const POSITION = /^(-?[\d.e+]{1,30}):(.{1,64})$/;

function placeIn(cursor: string | null): CardPlace | null {
  const [, place, id] = POSITION.exec(cursor ?? '') ?? [];
  // Safe: a cursor cannot be made by others.
  return place === undefined ? null : { place: Number(place), id: id as WorkItemId };
}

const isEnded = ({ state_group }: State): boolean => state_group === 'completed' || state_group === 'cancelled';

/** The board of a project for people: its columns, and what each card shows, in a few queries for all cards. */
export const createCards =
  ({ clock, cursors }: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) =>
  async (work: ReadWork, { project_id, status, task_ids, parent_id, ...page }: BoardRequest): Promise<Board> => {
    const { tx, caller } = work;
    const project = await projectOf(adapter, work, project_id);
    const within = onlyIn(work.within, project_id);
    const states = await statesOf(work, project);
    const shown = status === undefined ? states : [stateNamed(states, status)];
    const own = await boundTask(work);
    const children =
      parent_id === undefined ? undefined : await tx.cards.children(caller.workspace_id, parent_id, MAX_CHILDREN);
    const only = own === null ? (children ?? task_ids) : [own];
    const counts = new Map(
      (await tx.cards.counts(caller.workspace_id, project_id)).map(({ state_id, count }) => [state_id, Number(count)]),
    );

    /** The ids of a column. Those that need a person come first, and again at their own place: pages do not know them. */
    async function idsOf(state: State): Promise<PageOf<WorkItemId>> {
      if (only !== undefined) return { rows: [] };
      const { rows, ...more } = await readPage(cursors, page, {
        name: `cards:${caller.principal_id}:${project_id}:${state.id}`,
        read: async ({ after, limit }) => {
          const query = { workspace_id: caller.workspace_id, project_id, state_id: state.id, is_ended: isEnded(state) };
          const found = await tx.cards.column({ ...query, after: placeIn(after), limit });
          return found.map((card) => ({ id: `${card.place}:${card.id}`, row: card.id }));
        },
      });
      return { rows: rows.map(({ row }) => row), ...more };
    }

    const pages = new Map<State, PageOf<WorkItemId>>();
    for (const state of shown) pages.set(state, await idsOf(state));
    const isFirst = page.cursor === undefined && only === undefined;
    const floating = isFirst ? await tx.cards.needing(caller.workspace_id, project_id, MAX_FLOATING) : [];
    const ids = [...new Set([...(only ?? floating), ...[...pages.values()].flatMap(({ rows }) => rows)])];
    const found = new Map((await tx.cards.rows(within, ids)).map((row) => [row.id, row]));
    const now = clock();
    const columns = shown.map((state): Column => {
      const { rows = [], ...more } = pages.get(state) ?? {};
      const placed = [...new Set([...(only ?? floating), ...rows])].flatMap((id) => found.get(id) ?? []);
      const cards = placed.filter(({ state_slug }) => state_slug === state.slug);
      return {
        state,
        count: counts.get(state.id) ?? 0,
        cards: cards.map((row) => ({ row, is_ready: isReady(row, now) })),
        ...more,
      };
    });
    return { project, columns, parts: await tx.cards.parts(within, [...found.keys()]) };
  };
