import type { RunId, WorkItemId } from '#domain/ids';
import { attemptKey, taskKey } from '#domain/key';
import {
  type FoundNames,
  type KeyParts,
  MAX_CANDIDATES,
  type NamedKind,
  type NameForm,
  type NameSight,
  type Near,
  type Referent,
  type WantedName,
} from '#domain/reference';
import type { RunOwner } from '#domain/run';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { withinParams } from '#store/sql/within';
import type { Reads, Transaction } from '#store/store';
import { BY_KEY, BY_NAME, BY_PREFIX, type NameParams, type NameRow, type NameStatement } from './name-statements.ts';
import { numberingReads, numberingWrites } from './numbering.ts';

/** At most so many ids that begin with a text are looked at: more belong to one moment, and more of the id is needed. */
const MAX_IN_RANGE = 500;

const statementFor = (kind: NamedKind, form: NameForm): NameStatement | undefined => {
  if ('key' in form) return BY_KEY[kind]?.(form.key);
  return 'name' in form ? BY_NAME[kind] : BY_PREFIX[kind];
};

const NO_KEY: KeyParts = { key: '', task: null, attempt: null, comment: null };

function paramsFor(sight: NameSight, { form, near }: WantedName): NameParams {
  const { key, task, attempt, comment } = 'key' in form ? form.key : NO_KEY;
  const prefix = 'prefix' in form ? form.prefix : '';
  return {
    ...withinParams(sight),
    key,
    task_number: task ?? 0,
    attempt_number: attempt ?? 0,
    comment_number: comment ?? 0,
    text: 'name' in form ? form.name : prefix,
    // No digit of an id comes after "f".
    upper: `${prefix}g`,
    is_admin: sight.is_admin ? 1 : 0,
    subject: sight.subject,
    near_project: near.project_id ?? null,
    near_run: near.execution_id ?? null,
    most: MAX_IN_RANGE + 1,
    limit: sight.attempt_id === null ? MAX_CANDIDATES + 1 : MAX_IN_RANGE,
  };
}

function keyOf(row: NameRow): string | null {
  if (row.task_number === null) return row.is_project === 1 ? row.project_key : null;
  const task = taskKey(row.project_key, row.task_number);
  const attempt = row.attempt_number === null ? task : attemptKey(task, row.attempt_number);
  return row.comment_number === null || attempt === null ? attempt : `${attempt}#${row.comment_number}`;
}

/** A caller within an attempt finds that attempt, its parts and its task. A run is found by those who see it. */
function isSeen(sight: NameSight, kind: NamedKind, row: NameRow): boolean {
  if (kind === 'execution' || kind === 'step') return sight.sees(ownerOf(row));
  if (sight.attempt_id === null) return true;
  if (kind === 'work_item') return row.own_item === 1;
  return kind === 'project' || kind === 'repo' || row.attempt_id === sight.attempt_id;
}

const ownerOf = (row: NameRow): RunOwner => ({
  workspace_id: row.workspace_id,
  user_id: row.user_id,
  agent_id: row.agent_id,
  service_id: row.service_id,
  project_id: row.project_id,
  attempt_id: row.attempt_id,
});

const toReferent = (row: NameRow): Referent => ({ id: row.id, name: row.name, key: keyOf(row) });

/** Those of the things that the same call names, if there are any. */
function nearest(rows: readonly NameRow[], near: Near): readonly NameRow[] {
  const of = rows.filter(({ attempt_id, project_id }) =>
    near.attempt_id === undefined || attempt_id === null
      ? project_id === near.project_id
      : attempt_id === near.attempt_id,
  );
  return of.length > 0 ? of : rows;
}

async function find(session: Session, sight: NameSight, wanted: WantedName): Promise<FoundNames> {
  const asked = statementFor(wanted.kind, wanted.form);
  if (asked === undefined) return { rows: [], is_cut: false };
  const found = await session.all(asked, { ...paramsFor(sight, wanted), own_attempt: sight.attempt_id });
  const seen = nearest(
    found.filter((row) => isSeen(sight, wanted.kind, row)),
    wanted.near,
  );
  // Open questions are meant before answered ones.
  const open = seen.filter(({ is_open }) => is_open === 1);
  const rows = open.length > 0 ? open : seen;
  return {
    rows: rows.slice(0, MAX_CANDIDATES + 1).map(toReferent),
    is_cut: rows.some(({ in_range }) => Number(in_range) > MAX_IN_RANGE),
  };
}

interface ItemKey {
  readonly id: WorkItemId;
  readonly key: string | null;
  readonly number: number | null;
}

const keys = statement<{ readonly workspace_id: string; readonly items: string }, ItemKey>(
  ({ listed }) => `
    select work_items.id, projects.key, work_items.number
    from work_items join projects on projects.id = work_items.project_id
    where work_items.workspace_id = :workspace_id and work_items.id in ${listed('items')}`,
);

interface KeyedRun {
  readonly id: RunId;
  readonly key: string | null;
  readonly task_number: number | null;
  readonly attempt_number: number | null;
}

const runKeys = statement<{ readonly workspace_id: string; readonly runs: string }, KeyedRun>(
  ({ listed }) => `
    select executions.id, projects.key, work_items.number as task_number, attempts.number as attempt_number
    from executions
      join work_items on work_items.id = executions.work_item_id
      join projects on projects.id = work_items.project_id
      left join attempts on attempts.id = executions.attempt_id
    where executions.workspace_id = :workspace_id and executions.id in ${listed('runs')}`,
);

export const nameReads = (session: Session): Reads['names'] => ({
  ...numberingReads(session),
  find: (sight, wanted) => find(session, sight, wanted),
  keysOf: async (workspace_id, items) => {
    const rows = await session.all(keys, { workspace_id, items: JSON.stringify(items) });
    return new Map(
      rows.flatMap(({ id, key, number }) => {
        const known = taskKey(key, number);
        return known === null ? [] : [[id, known] as const];
      }),
    );
  },
  keysOfRuns: async (workspace_id, runs) => {
    const rows = await session.all(runKeys, { workspace_id, runs: JSON.stringify(runs) });
    return new Map(
      rows.map(({ id, key, task_number, attempt_number }) => {
        const task_key = taskKey(key, task_number);
        return [id, { task_key, attempt_key: attemptKey(task_key, attempt_number) }] as const;
      }),
    );
  },
});

export const nameWrites = (session: WriteSession): Transaction['names'] => ({
  ...nameReads(session),
  ...numberingWrites(session),
});
