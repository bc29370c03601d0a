import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const get = statement<{ readonly name: string }>()((tables, place) =>
  tables.selectFrom('settings').select('value').where('name', '=', place('name')),
);

const put = statement<{ readonly name: string; readonly value: string }>()((tables, place) =>
  tables
    .insertInto('settings')
    .values({ name: place('name'), value: place('value') })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') }))),
);

export const settingReads = (session: Session): Reads['settings'] => ({
  get: async (name) => (await session.get(get, { name }))?.value ?? null,
});

export const settingWrites = (session: WriteSession): Transaction['settings'] => ({
  ...settingReads(session),
  put: (name, value) => session.write(put, { name, value }),
});
