import type { AttemptId, ProjectId, WorkItemId } from '#domain/ids';
import type { KeylessPage, NameReads, NameWrites } from '#store/name-store';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import { type BoundStatement, giveKeys } from './project-keys.ts';

/** Numbers and keys for rows of a server of an older release, which knows of neither. */

interface Some {
  readonly limit: number;
}

interface OneItem {
  readonly id: WorkItemId;
  readonly project_id: ProjectId;
}

// The first statement holds the row of the project until the commit: no other item gets this number.
export const TAKE = `
  insert into item_numbers (project_id, last) values (:project_id, 1)
  on conflict (project_id) do update set last = item_numbers.last + 1`;

/** Takes the next number of the project of a row. */
export const takeNumberOf = <Row extends Pick<OneItem, 'project_id'>>(): Statement<Row, never> => statement(TAKE);

const takeNumber = takeNumberOf<OneItem>();

export const TAKEN_NUMBER = '(select last from item_numbers where project_id = :project_id)';

const unnumberedItems = statement<Some, OneItem>(
  `select id, project_id from work_items where number is null order by id ${LIMIT}`,
);

const numberItem = statement<OneItem, never>(
  `update work_items set number = ${TAKEN_NUMBER} where id = :id and number is null`,
);

const unnumberedAttempts = statement<Some, { readonly id: AttemptId }>(
  `select id from attempts where number is null order by id ${LIMIT}`,
);

const numberAttempt = statement<{ readonly id: AttemptId }, never>(`
  update attempts set number = (
    select coalesce(max(others.number), 0) + 1 from attempts as others where others.work_item_id = attempts.work_item_id)
  where id = :id and number is null`);

const anyUnnumbered = statement<object, { readonly found: number }>(`
  select 1 as found where exists (select 1 from work_items where number is null)
    or exists (select 1 from attempts where number is null)`);

const keyless = statement<KeylessPage, { readonly id: ProjectId; readonly wants_key: number }>(`
  select projects.id, case when app_users.user_id is null then 1 else 0 end as wants_key
  from projects left join app_users on app_users.user_id = projects.owner_id
  where projects.key is null and projects.id > :after
  order by projects.id ${LIMIT}`);

export const numberingReads = (session: Session): Pick<NameReads['names'], 'hasUnnumbered' | 'keyless'> => ({
  hasUnnumbered: async () => (await session.get(anyUnnumbered, {})) !== null,
  keyless: async (page) => {
    const rows = await session.all(keyless, page);
    return rows.map(({ id, wants_key }) => ({ id, wants_key: Number(wants_key) === 1 }));
  },
});

/** Runs a statement of `giveKeys`; one that writes answers no rows. */
async function answerTo(
  session: WriteSession,
  { statement: asked, params, writes }: BoundStatement,
): Promise<readonly unknown[]> {
  if (!writes) return session.all(asked, params);
  await session.write(asked, params);
  return [];
}

export const numberingWrites = (session: WriteSession): Pick<NameWrites['names'], 'giveNumbers' | 'giveKeys'> => ({
  giveNumbers: async (limit) => {
    const items = await session.all(unnumberedItems, { limit });
    for (const item of items) {
      await session.write(takeNumber, item);
      await session.write(numberItem, item);
    }
    const attempts = await session.all(unnumberedAttempts, { limit });
    for (const attempt of attempts) await session.write(numberAttempt, attempt);
    return items.length + attempts.length;
  },
  giveKeys: async ({ after, limit }) => {
    const giving = giveKeys(after, limit);
    let step = giving.next();
    while (!step.done) step = giving.next(await answerTo(session, step.value));
    session.accessChanged();
    return step.value !== null;
  },
});
