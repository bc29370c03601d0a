import { inject } from 'vitest';
import { type Admin, adminOf, adminToken } from './admin.ts';
import { type Database, freshPostgres, postgresDatabase, sqliteDatabase } from './database.ts';
import { type Place, type Server, serve, temporaryFolder } from './program.ts';

export type Backend = 'sqlite' | 'postgres';

/** People of a workspace, and a service token that lists all of them and nobody else. */
export interface Crew {
  readonly service: string;
  /** The id of one whom nobody was given before. */
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

/** How many people a file of tests may ask for. */
const CREW = 10;

/** A running Errand with a database, an administrator, some people and a service token for them. */
export interface World extends AsyncDisposable, Crew {
  readonly place: Place;
  readonly server: Server;
  readonly database: Database;
  readonly admin: Admin;
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
  const crew = await crewOf(admin, CREW);
  const database = opened.use(openDatabase(place));

  const all = opened.move();
  return { place, server, database, admin, ...crew, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
