import type { RunId, StepId } from '#domain/ids';
import type { Step } from '#domain/run';
import { LIMIT } from '#store/sql/page';
import { change, insertion, named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { NumberedPage, Reads, Transaction } from '#store/store';

// Columns are named: Postgres refuses a prepared `*` once a later release has added a column.
const COLUMNS = [
  'id',
  'execution_id',
  'seq',
  'name',
  'status',
  'message',
  'source',
  'started_at',
  'updated_at',
  'ended_at',
] as const;

interface OfExecution {
  readonly execution_id: RunId;
}

const SELECT = `select ${named(COLUMNS)} from steps where execution_id = :execution_id`;

const find = statement<OfExecution & { readonly id: StepId }, Step>(`${SELECT} and id = :id`);

const page = statement<OfExecution & NumberedPage, Step>(`${SELECT} and seq > :after order by seq ${LIMIT}`);

const open = statement<OfExecution, Step>(`${SELECT} and ended_at is null order by seq`);

const insert = insertion('steps', COLUMNS);

const update = change(
  'steps',
  ['id', 'execution_id'],
  ['name', 'status', 'message', 'started_at', 'updated_at', 'ended_at'],
);

export const stepReads = (session: Session): Pick<Reads['runs'], 'step' | 'steps'> => ({
  step: (run, id) => session.get(find, { execution_id: run.id, id }),
  steps: (run, { after, limit }) => session.all(page, { execution_id: run.id, after, limit }),
});

export const stepWrites = (
  session: WriteSession,
): Pick<Transaction['runs'], 'insertStep' | 'updateStep' | 'openSteps'> => ({
  insertStep: (step) => session.write(insert, step),
  updateStep: (step) => session.write(update, step),
  openSteps: (run) => session.all(open, { execution_id: run.id }),
});
