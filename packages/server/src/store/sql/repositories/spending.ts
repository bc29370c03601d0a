import { type Amounts, type CostsBy, NO_AMOUNTS, type Spending } from '#domain/budget';
import type { CostsQuery, CostsRow } from '#store/spending-store';
import type { Words } from '#store/sql/dialect';
import { LIMIT } from '#store/sql/page';
import { named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Statement, statement } from '#store/sql/statement';
import { inProjects, type WithinParams, withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';

const KEY = ['workspace_id', 'kind', 'subject_id', 'day'] as const satisfies readonly (keyof Spending)[];
const AMOUNTS = ['cost_micro_usd', 'tokens', 'seconds'] as const satisfies readonly (keyof Amounts)[];

/** What a day of a subject counts at most. One addition more is still a whole number of 64 bits. */
const MAX_A_DAY = 9_000_000_000_000_000;

const raised = (name: string): string =>
  `${name} = case when spending.${name} < ${MAX_A_DAY} then spending.${name} + excluded.${name} else spending.${name} end`;

const add = statement<Spending, never>(`
  insert into spending (${named([...KEY, ...AMOUNTS])})
  values (${[...KEY, ...AMOUNTS].map((name) => `:${name}`).join(', ')})
  on conflict (${named(KEY)}) do update
    set ${AMOUNTS.map(raised).join(', ')}`);

// Not as whole numbers: SQLite fails when their sum has more than 64 bits, and its driver when one has more than 53.
const SUMS = AMOUNTS.map((name) => `coalesce(sum(cast(spending.${name} as double precision)), 0) as ${name}`).join(
  ', ',
);

type OfSubject = Pick<Spending, 'workspace_id' | 'kind' | 'subject_id'>;

const OF_SUBJECT = `
  select ${SUMS} from spending where workspace_id = :workspace_id and kind = :kind and subject_id = :subject_id`;
const onAllDays = statement<OfSubject, Amounts>(OF_SUBJECT);
const onDay = statement<OfSubject & Pick<Spending, 'day'>, Amounts>(`${OF_SUBJECT} and day = :day`);

interface Grouping {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly number: string;
  readonly joins: string;
  readonly order: string;
}

const NONE = 'cast(null as text)';
const DEAREST = 'cost_micro_usd desc, tokens desc, subject_id';

const GROUPINGS: Readonly<Record<CostsBy, Grouping>> = {
  task: {
    id: `coalesce(executions.work_item_id, 'other')`,
    name: 'max(work_items.title)',
    key: 'max(projects.key)',
    number: 'max(work_items.number)',
    joins: `left join work_items on work_items.id = executions.work_item_id
      left join projects on projects.id = work_items.project_id`,
    order: DEAREST,
  },
  project: {
    id: 'executions.project_id',
    name: 'max(projects.name)',
    key: 'max(projects.key)',
    number: 'cast(null as integer)',
    joins: 'join projects on projects.id = executions.project_id',
    order: DEAREST,
  },
  agent: {
    id: `coalesce(executions.agent_id, 'executor:' || runs.executor, 'other')`,
    name: 'coalesce(max(agents.name), max(runs.executor))',
    key: NONE,
    number: 'cast(null as integer)',
    joins: `left join runs on runs.execution_id = executions.id
      left join agents on agents.id = executions.agent_id`,
    order: DEAREST,
  },
  day: {
    id: 'spending.day',
    name: NONE,
    key: NONE,
    number: 'cast(null as integer)',
    joins: '',
    order: 'subject_id desc',
  },
};

type Period = WithinParams & Pick<CostsQuery, 'from' | 'to' | 'attempt_id'>;

// Sums are taken over runs: each belongs to one project, which decides who sees it.
const rows = (joins: string, words: Words): string => `
  from spending join executions on executions.id = spending.subject_id ${joins}
  where spending.workspace_id = :workspace_id and spending.kind = 'run'
    and spending.day >= :from and spending.day <= :to and ${inProjects(words, 'executions.project_id')}
    and (${words.text('attempt_id')} is null or executions.attempt_id = ${words.text('attempt_id')})`;

const RUNS = 'count(distinct spending.subject_id) as runs';

const grouped = ({ id, name, key, number, joins, order }: Grouping): Statement<Period & { limit: number }, CostsRow> =>
  statement(
    (words) => `
      select ${id} as subject_id, ${name} as name, ${key} as project_key, ${number} as number, ${SUMS}, ${RUNS}
      ${rows(joins, words)}
      group by ${id} order by ${order} ${LIMIT}`,
  );

const REPORTS = {
  task: grouped(GROUPINGS.task),
  project: grouped(GROUPINGS.project),
  agent: grouped(GROUPINGS.agent),
  day: grouped(GROUPINGS.day),
} as const satisfies Record<CostsBy, unknown>;

const total = statement<Period, Amounts & Pick<CostsRow, 'runs'>>(
  (words) => `select ${SUMS}, ${RUNS} ${rows('', words)}`,
);

export const spendingReads = (session: Session): Reads['spending'] => ({
  total: async (workspace_id, { kind, subject_id }, day) => {
    const subject = { workspace_id, kind, subject_id };
    const row = day === null ? await session.get(onAllDays, subject) : await session.get(onDay, { ...subject, day });
    return row ?? NO_AMOUNTS;
  },
  report: async (within, { by, ...query }) =>
    (await session.all(REPORTS[by], { ...withinParams(within), ...query })).map((row) => ({
      ...row,
      number: row.number === null ? null : Number(row.number),
      runs: Number(row.runs),
    })),
  reportTotal: async (within, query) => {
    const row = (await session.get(total, { ...withinParams(within), ...query })) ?? { ...NO_AMOUNTS, runs: 0 };
    return { ...row, runs: Number(row.runs) };
  },
});

export const spendingWrites = (session: WriteSession): Transaction['spending'] => ({
  ...spendingReads(session),
  add: (spending) => session.write(add, spending),
});
