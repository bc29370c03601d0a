import type { Label, State } from '#domain/project';
import { change } from '#store/sql/row-writes';
import type { WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Transaction } from '#store/store';

type One<T extends { readonly id: unknown }> = Pick<T, 'id'>;

const updateState = change('states', ['id'], ['name']);
const tasksIn = statement<One<State>, { readonly tasks: number }>(
  'select count(*) as tasks from work_items where state_id = :id',
);
const removeState = statement<One<State>, never>('delete from states where id = :id');
const updateLabel = change('labels', ['id'], ['name', 'color']);
const unlabel = statement<One<Label>, never>('delete from item_labels where label_id = :id');
const removeLabel = statement<One<Label>, never>('delete from labels where id = :id');

/** Changes and removes the states and labels of a project. */
export const partWrites = (
  session: WriteSession,
): Pick<Transaction['projects'], 'updateState' | 'removeState' | 'updateLabel' | 'removeLabel'> => ({
  updateState: (state) => {
    session.accessChanged();
    return session.write(updateState, state);
  },
  removeState: async ({ id }) => {
    const { tasks = 0 } = (await session.get(tasksIn, { id })) ?? {};
    if (tasks > 0) return tasks;
    session.accessChanged();
    await session.write(removeState, { id });
    return 0;
  },
  updateLabel: (label) => session.write(updateLabel, label),
  removeLabel: async ({ id }) => {
    await session.run(unlabel, { id });
    await session.write(removeLabel, { id });
  },
});
