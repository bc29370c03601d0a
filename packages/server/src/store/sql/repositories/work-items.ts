import type { UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { NewWorkItem, TodoRow, WorkItem } from '#domain/work-item';
import { staleVersion } from '#store/sql/database-error';
import { inSizes, LIMIT, pageById } from '#store/sql/page';
import { commentReads, commentWrites } from '#store/sql/repositories/comments';
import { itemLinkReads, itemLinkWrites } from '#store/sql/repositories/item-links';
import { TAKE, TAKEN_NUMBER, takeNumberOf } from '#store/sql/repositories/numbering';
import { searchItems } from '#store/sql/repositories/search';
import { changeEntry, insertEntry } from '#store/sql/repositories/search-entries';
import { todoCountReads } from '#store/sql/repositories/todo-counts';
import { named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Batch, rowsOf, type Statement, statement } from '#store/sql/statement';
import { inProjects, itemWithin, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, TodoQuery, Transaction } from '#store/store';

interface OneItem {
  readonly workspace_id: WorkspaceId;
  readonly id: WorkItemId;
}

interface Page {
  readonly owner_id: UserId;
  readonly after: string;
  readonly limit: number;
}

const LISTED = ['id', 'title', 'description', 'completed_at'] as const satisfies readonly (keyof WorkItem)[];

type ListedRow = Pick<WorkItem, (typeof LISTED)[number]>;

const LIST = "(select id from projects where owner_id = :owner_id and kind = 'personal')";

// The tasks of a list are those of its project, whose index has all of them.
const every = inSizes<Page, ListedRow>((_, most) =>
  pageById(`select ${named(LISTED, 'work_items')} from work_items where project_id = ${LIST} and id > :after`, {
    id: 'work_items.id',
    order: 'asc',
    most,
  }),
);

/** The tasks of some states: those of each come in the order of an index, and one order over all would read every task. */
function ofStates(group: string, filter: string): Statement<Page, ListedRow> {
  const states = `states.project_id = ${LIST} and states.state_group ${group}`;
  const inState = (columns: string): string => `
      select ${columns} from work_items
      where work_items.state_id = states.id and work_items.id > :after and work_items.completed_at ${filter}`;
  return statement(({ dialect }) =>
    dialect === 'sqlite'
      ? `select ${named(LISTED, 'work_items')} from states cross join work_items
          where ${states} and work_items.rowid in (${inState('work_items.rowid')} order by work_items.id ${LIMIT})
          order by work_items.id ${LIMIT}`
      : `select ${named(LISTED, 'items')} from states cross join lateral (
            ${inState(named(LISTED, 'work_items'))} order by work_items.id ${LIMIT}) as items where ${states} order by items.id ${LIMIT}`,
  );
}

// A task has the time of its completion if and only if its state is a completed one.
const LISTS = {
  every,
  pending: ofStates("<> 'completed'", 'is null'),
  completed: ofStates("= 'completed'", 'is not null'),
};

const listOf = ({ completed, limit }: TodoQuery): Statement<Page, ListedRow> => {
  if (completed === null) return LISTS.every(limit);
  return completed ? LISTS.completed : LISTS.pending;
};

const COLUMNS = [
  'id',
  'workspace_id',
  'project_id',
  'number',
  'owner_id',
  'state_id',
  'title',
  'description',
  'description_html',
  'detail_layout',
  'priority',
  'sort_order',
  'parent_id',
  'start_date',
  'target_date',
  'completed_at',
  'version',
  'created_by_user_id',
  'created_by_agent_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof WorkItem)[];

const SELECT = `select ${named(COLUMNS)} from work_items where id = :id and workspace_id = :workspace_id`;

const findTodo = statement<OneItem, WorkItem>(`${SELECT} and owner_id is not null`);

const find = statement<Pick<OneItem, 'id'> & WithinParams, WorkItem>(
  (words) => `${SELECT} and ${inProjects(words, 'project_id')}`,
);

// The depth limit ends the recursion, even if there is a cycle.
const lineage = statement<Pick<OneItem, 'id'> & WithinParams & { readonly most: number }, Pick<OneItem, 'id'>>(
  (words) => `
    with recursive line (id, parent_id, depth) as (
      select work_items.id, work_items.parent_id, 1 from work_items where ${itemWithin(words)}
      union all
      select work_items.id, work_items.parent_id, line.depth + 1
      from line join work_items on work_items.id = line.parent_id
      where line.depth < :most and work_items.workspace_id = :workspace_id and ${inProjects(words, 'work_items.project_id')})
    select id from line order by depth`,
);

const GIVEN = COLUMNS.filter((name) => name !== 'number');

const TEXT = 'text';
const TYPES: Readonly<Record<(typeof GIVEN)[number], string>> = {
  id: TEXT,
  workspace_id: TEXT,
  project_id: TEXT,
  owner_id: TEXT,
  state_id: TEXT,
  title: TEXT,
  description: TEXT,
  description_html: TEXT,
  detail_layout: TEXT,
  priority: TEXT,
  sort_order: 'double precision',
  parent_id: TEXT,
  start_date: TEXT,
  target_date: TEXT,
  completed_at: 'bigint',
  version: 'bigint',
  created_by_user_id: TEXT,
  created_by_agent_id: TEXT,
  created_at: 'bigint',
  updated_at: 'bigint',
};

const insertion: Batch<NewWorkItem> = {
  alone: [
    takeNumberOf<NewWorkItem>(),
    statement(`
      insert into work_items (${named(GIVEN)}, number)
      values (${GIVEN.map((name) => `:${name}`).join(', ')}, ${TAKEN_NUMBER})`),
  ],
  single: statement(
    `with taken as (${TAKE} returning last)
    insert into work_items (${named(GIVEN)}, number)
    values (${GIVEN.map((name) => `:${name}`).join(', ')}, (select last from taken))`,
    'postgres',
  ),
  many: statement(
    `with given as (select * from ${rowsOf(TYPES)}),
    counted as (select project_id, count(*) as size from given group by project_id),
    taken as (
      insert into item_numbers (project_id, last) select project_id, size from counted
      on conflict (project_id) do update set last = item_numbers.last + excluded.last
      returning project_id, last)
    insert into work_items (${named(GIVEN)}, number)
    select ${named(GIVEN, 'given')},
      taken.last - counted.size + row_number() over (partition by given.project_id order by given.place)
    from given join counted on counted.project_id = given.project_id join taken on taken.project_id = given.project_id
    order by given.place`,
    'postgres',
  ),
};

const CHANGING = COLUMNS.filter(
  (name) => !['id', 'workspace_id', 'number', 'created_by_user_id', 'created_by_agent_id', 'created_at'].includes(name),
);

// An item that goes to another project loses its number: it is numbered there like those of an older server.
const update = statement<WorkItem & { readonly expected_version: number }, never>(`
  update work_items set ${CHANGING.map((name) => `${name} = :${name}`).join(', ')},
    number = case when project_id = :project_id then number else null end
  where id = :id and workspace_id = :workspace_id and version = :expected_version`);

const remove = statement<OneItem, never>('delete from work_items where id = :id and workspace_id = :workspace_id');

const toTodo = ({ id, title, description, completed_at }: ListedRow): TodoRow => ({
  id,
  title,
  description,
  completed: completed_at !== null,
});

function changedOne(changes: number): void {
  if (changes !== 1) throw staleVersion();
}

export const workItemReads = (session: Session): Reads['workItems'] => ({
  todos: async (owner_id, query) => {
    const rows = await session.all(listOf(query), { owner_id, after: query.after ?? '', limit: query.limit });
    return rows.map(toTodo);
  },
  ...todoCountReads(session),
  findTodo: (workspace_id, id) => session.get(findTodo, { workspace_id, id }),
  find: (within, id) => session.get(find, { ...withinParams(within), id }),
  lineage: async (within, id, most) => {
    const line = await session.all(lineage, { ...withinParams(within), id, most });
    return line.map((item) => item.id);
  },
  search: (within, query) => searchItems(session, within, query),
  ...itemLinkReads(session),
  ...commentReads(session),
});

export const workItemWrites = (session: WriteSession): Transaction['workItems'] => ({
  ...workItemReads(session),
  insert: async (item) => {
    await session.gather(insertion, item);
    await insertEntry(session, item);
  },
  update: async (item) => {
    await changeEntry(session, item);
    await session.write(update, { ...item, expected_version: item.version - 1 }, changedOne);
  },
  delete: (workspace_id, id) => session.write(remove, { workspace_id, id }),
  ...itemLinkWrites(session),
  ...commentWrites(session),
});
