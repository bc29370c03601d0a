import { inject } from 'vitest';
import { type Admin, adminOf, adminToken } from './admin.ts';
import { type Database, freshPostgres, postgresDatabase, sqliteDatabase } from './database.ts';
import { type Place, type Server, serve, temporaryFolder } from './program.ts';

export type Backend = 'sqlite' | 'postgres';

/** A running Errand with a database, an administrator, and a service token for everyone. */
export interface World extends AsyncDisposable {
  readonly place: Place;
  readonly server: Server;
  readonly database: Database;
  readonly admin: Admin;
  readonly service: string;
}

/** `postgres` is where a new database is made; the one of the test run unless given. */
export async function openPlace(backend: Backend, postgres?: string): Promise<Place & AsyncDisposable> {
  const folder = await temporaryFolder();
  return {
    data: folder.path,
    database_url: backend === 'postgres' ? await freshPostgres(postgres ?? inject('postgresUrl')) : undefined,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

export const openDatabase = ({ data, database_url }: Place): Database =>
  database_url === undefined ? sqliteDatabase(data) : postgresDatabase(database_url);

export async function openWorld(backend: Backend): Promise<World> {
  // What was opened before a failure would otherwise stay behind.
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await openPlace(backend));
  const server = opened.use(await serve(place));
  const admin = adminOf(server.origin, await adminToken(place));
  const { token: service } = await admin.createToken({ kind: 'service', user_ids: ['*'] });
  const database = opened.use(openDatabase(place));

  const all = opened.move();
  return { place, server, database, admin, service, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
