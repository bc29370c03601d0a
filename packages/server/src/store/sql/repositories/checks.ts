import type { Check } from '#domain/check';
import { insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';
import { OF_ATTEMPT, type OfAttempt } from './attempt-within.ts';

const COLUMNS = [
  'execution_id',
  'seq',
  'attempt_id',
  'name',
  'repo_id',
  'command',
  'status',
  'exit_code',
  'started_at',
  'ended_at',
  'output',
  'step_id',
] as const satisfies readonly (keyof Check)[];

const ofAttempt = statement<OfAttempt, Check>(`
  select ${named(COLUMNS)} from checks
  where ${OF_ATTEMPT} and execution_id = (select max(execution_id) from checks where ${OF_ATTEMPT})
  order by seq`);

const insert = insertion('checks', COLUMNS);

export const checkReads = (session: Session): Reads['checks'] => ({
  ofAttempt: ({ id: attempt_id, workspace_id }) => session.all(ofAttempt, { attempt_id, workspace_id }),
});

export const checkWrites = (session: WriteSession): Transaction['checks'] => ({
  ...checkReads(session),
  insert: (check) => session.write(insert, check),
});
