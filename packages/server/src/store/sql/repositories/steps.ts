import type { RunId, StepId } from '#domain/ids';
import type { Step } from '#domain/run';
import { atMost } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import type { NumberedPage, Reads, Transaction } from '#store/store';

// Named, since a server refuses to go on with `*` once the next release has added a column.
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

const find = statement<OfExecution & { readonly id: StepId }>()((tables, place) =>
  tables
    .selectFrom('steps')
    .select(COLUMNS)
    .where('id', '=', place('id'))
    .where('execution_id', '=', place('execution_id')),
);

const page = statement<OfExecution & NumberedPage>()((tables, place) =>
  tables
    .selectFrom('steps')
    .select(COLUMNS)
    .where('execution_id', '=', place('execution_id'))
    .where('seq', '>', place('after'))
    .orderBy('seq')
    .limit(atMost(place('limit'))),
);

const open = statement<OfExecution>()((tables, place) =>
  tables
    .selectFrom('steps')
    .select(COLUMNS)
    .where('execution_id', '=', place('execution_id'))
    .where('ended_at', 'is', null)
    .orderBy('seq'),
);

const insert = plainStatement<Step, never>(
  `insert into steps (${COLUMNS.join(', ')}) values (${COLUMNS.map((name) => `:${name}`).join(', ')})`,
);

const update = statement<Step>()((tables, place) =>
  tables
    .updateTable('steps')
    .set({
      name: place('name'),
      status: place('status'),
      message: place('message'),
      started_at: place('started_at'),
      updated_at: place('updated_at'),
      ended_at: place('ended_at'),
    })
    .where('id', '=', place('id'))
    .where('execution_id', '=', place('execution_id')),
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
