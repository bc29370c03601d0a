import { replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const get = statement<{ readonly name: string }, { readonly value: string }>(
  'select value from settings where name = :name',
);

const put = replacement('settings', { key: ['name'], columns: ['name', 'value'] });

export const settingReads = (session: Session): Reads['settings'] => ({
  get: async (name) => (await session.get(get, { name }))?.value ?? null,
});

export const settingWrites = (session: WriteSession): Transaction['settings'] => ({
  ...settingReads(session),
  put: (name, value) => session.write(put, { name, value }),
});
