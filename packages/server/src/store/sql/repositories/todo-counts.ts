import type { ProjectId, UserId } from '#domain/ids';
import type { Dialect } from '#store/sql/dialect';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import type { Reads, TodoQuery } from '#store/store';

/** How many numbers of a todo list make a block, whose todos are counted. The triggers count by the same number. */
const BLOCK = 256;
/** The most blocks that one transaction counts. More would make writers wait longer. */
const MAX_AT_ONCE = 50;

type Kind = 'every' | 'pending' | 'completed';

const kindOf = ({ completed }: TodoQuery): Kind => {
  if (completed === null) return 'every';
  return completed ? 'completed' : 'pending';
};

interface Counting {
  readonly owner_id: UserId;
  readonly after: string;
  readonly limit: number;
}

const KEPT: Readonly<Record<Kind, string>> = {
  every: 'pending + completed',
  pending: 'pending',
  completed: 'completed',
};
const FILTER: Readonly<Record<Kind, string>> = {
  every: '',
  pending: 'and completed_at is null',
  completed: 'and completed_at is not null',
};

const LIST = "(select id from projects where owner_id = :owner_id and kind = 'personal')";
const LAST = `(select last from item_numbers where project_id = ${LIST})`;

// As a function on Postgres: of the whole query it would think that it is long, and compile it for longer than it runs.
// Ids are not compared as they are: SQLite would walk the index of ids, which is that of the whole list.
const numbered = (dialect: Dialect, kind: Kind, [first, last]: readonly [string, string]): string =>
  dialect === 'postgres'
    ? `count_todos(${LIST}, '${kind}', ${first}, ${last}, :after, :limit)`
    : `(select count(*) from (
        select 1 from work_items where project_id = ${LIST} and number is not null and number >= ${first} and number <= ${last}
          and owner_id is not null and coalesce(id, '') > :after ${FILTER[kind]} ${LIMIT}))`;

/** So many blocks have as many as are counted at most, unless nearly all of their todos are in the other state. */
const FIRST_BLOCKS = 100;

const inBlocks = (kind: Kind): string => `
    select sum(count) from (
      select ${KEPT[kind]} as count from todo_blocks where project_id = ${LIST} and oldest > :after
      limit ${FIRST_BLOCKS}) as first`;

// Counted one by one: the todos of the block that the page ends in, those in no block yet, and those without a number.
const counting = (kind: Kind): Statement<Counting, { readonly count: number }> =>
  statement(
    ({ dialect, bigint }) => `
    select case when (${inBlocks(kind)}) >= ${bigint('limit')} then ${bigint('limit')} else (
      select coalesce(blocks.count, 0) + ${numbered(dialect, kind, ['blocks.next', LAST])} + (
          select count(*) from (
            select 1 from work_items where project_id = ${LIST} and number is null
              and owner_id is not null and coalesce(id, '') > :after ${FILTER[kind]} ${LIMIT}) as unnumbered)
      from (
        select coalesce(max(block) + 1, 0) * ${BLOCK} as next,
          sum(case
            when newest <= :after then 0
            when oldest > :after then ${KEPT[kind]}
            else ${numbered(dialect, kind, [`block * ${BLOCK}`, `block * ${BLOCK} + ${BLOCK - 1}`])} end) as count
        from todo_blocks where project_id = ${LIST}) as blocks) end as count`,
  );

const COUNTS: Readonly<Record<Kind, Statement<Counting, { readonly count: number }>>> = {
  every: counting('every'),
  pending: counting('pending'),
  completed: counting('completed'),
};

interface Block {
  readonly project_id: ProjectId;
  readonly block: number;
  /** How many blocks more the numbers of the list suffice for. */
  readonly missing: number;
}

const DONE =
  '(select coalesce(max(block) + 1, 0) from todo_blocks where todo_blocks.project_id = item_numbers.project_id)';

// Every number below the last one is committed: the transaction that takes a number holds the row of its project.
const missing = statement<object, Block>(`
  select item_numbers.project_id, ${DONE} as block, last / ${BLOCK} - ${DONE} as missing
  from item_numbers join projects on projects.id = item_numbers.project_id
  where projects.owner_id is not null and last >= ${BLOCK} and last / ${BLOCK} > ${DONE} limit 1`);

const make = statement<Pick<Block, 'project_id' | 'block'>, never>(({ bigint, text }) => {
  const block = bigint('block');
  return `
    insert into todo_blocks (project_id, block, oldest, newest, pending, completed)
    select ${text('project_id')}, ${block}, coalesce(min(id), ''), coalesce(max(id), ''),
      coalesce(sum(case when completed_at is null then 1 else 0 end), 0),
      coalesce(sum(case when completed_at is null then 0 else 1 end), 0)
    from work_items
    where project_id = :project_id and owner_id is not null and number is not null
      and number >= ${block} * ${BLOCK} and number < (${block} + 1) * ${BLOCK}
    on conflict do nothing`;
});

export const todoCountReads = (session: Session): Pick<Reads['workItems'], 'countTodos'> => ({
  countTodos: async (owner_id, query) => {
    const found = await session.get(COUNTS[kindOf(query)], { owner_id, after: query.after ?? '', limit: query.limit });
    return Math.min(Number(found?.count ?? 0), query.limit);
  },
});

export const hasUncountedTodos = async (session: Session): Promise<boolean> =>
  (await session.get(missing, {})) !== null;

/** Counts the next blocks of one list; answers whether there were any. */
export async function countTodoBlocks(session: WriteSession): Promise<boolean> {
  const list = await session.get(missing, {});
  if (list === null) return false;
  for (let part = 0; part < Math.min(list.missing, MAX_AT_ONCE); part++) {
    await session.write(make, { project_id: list.project_id, block: list.block + part });
  }
  return true;
}
