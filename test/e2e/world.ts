import { inject } from 'vitest';
import { type Admin, adminOf, adminToken } from './admin.ts';
import { type Database, freshPostgres, postgresDatabase, sqliteDatabase } from './database.ts';
import { type Place, type Server, serve, temporaryFolder } from './program.ts';

export type Backend = 'sqlite' | 'postgres';

/** Users of a workspace, and a service token that lists exactly these users. */
export interface Crew {
  readonly service: string;
  /** Returns the id of an unused user. */
  readonly person: () => string;
}

export async function crewOf(admin: Admin, size: number): Promise<Crew> {
  const user_ids = await Promise.all(Array.from({ length: size }, (_, i) => admin.addUser(`person ${i}`)));
  const { token } = await admin.createToken({ kind: 'service', user_ids });
  const free = [...user_ids];
  const person = (): string => {
    const id = free.pop();
    if (id === undefined) throw new Error(`All ${size} people of the crew are taken.`);
    return id;
  };
  return { service: token, person };
}

/** How many users a test file may use. */
const CREW = 10;

/** A running Errand with a database, an administrator, some users and a service token for them. */
export interface World extends AsyncDisposable, Crew {
  readonly place: Place;
  readonly server: Server;
  readonly database: Database;
  readonly admin: Admin;
}

/** Makes a place for data. `postgres` is the server for a new database; that of the test run unless given. */
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
  // On failure, close what was already opened.
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await openPlace(backend));
  const server = opened.use(await serve(place));
  const admin = adminOf(server.origin, await adminToken(place));
  const crew = await crewOf(admin, CREW);
  const database = opened.use(openDatabase(place));

  const all = opened.move();
  return { place, server, database, admin, ...crew, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
