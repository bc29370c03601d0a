import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type LaunchedServer, launchServer } from '../board-durability/launch.ts';
import type { Plant } from '../board-durability/plants.ts';
import { sendJson } from '../http.ts';
import { errandJson, type Place, placeFlags, temporaryFolder } from '../program.ts';
import { type Backend, openPlace } from '../world.ts';

export const SERVERS = [0, 1] as const;
export type At = (typeof SERVERS)[number];

/** Two servers on one database, each of which may be killed. */
export interface TwoServers extends AsyncDisposable {
  readonly place: Place;
  /** A token of the owner, with all scopes. */
  readonly owner: string;
  /** The address of a server; of the other one while that is down, and null while both are. */
  readonly origin: (at: At) => string | null;
  /** Kills a server, and does what is given before it starts again. */
  readonly kill: (at: At, meanwhile?: () => Promise<void>) => Promise<void>;
  /** Kills both servers for good. */
  readonly end: () => Promise<void>;
  /** What servers have logged about a call. */
  readonly logOf: (correlation_id: string) => readonly string[];
  /** Calls a tool as the owner, on a server that is up. */
  readonly ask: (tool: string, args: object) => Promise<Fields>;
  readonly askAt: (at: At, tool: string, args: object) => Promise<Fields>;
}

export type Fields = Readonly<Record<string, unknown>>;

const OWNER_SCOPES = [
  ...['admin', 'board:read', 'board:write', 'todo:read', 'todo:write', 'execution:report'],
  ...['issue:read', 'project:read', 'workspace:read'],
].join();

export async function openTwoServers(backend: Backend, postgres_url: string, plant?: Plant): Promise<TwoServers> {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await openPlace(backend, postgres_url));
  // A server does not start when it finds another one by the path of the file. A link is a second path.
  const link = join(opened.use(await temporaryFolder()).path, 'link');
  await symlink(place.data, link);
  const places: readonly [Place, Place] = [place, { data: link, database_url: place.database_url }];
  const create = ['token', 'create', '--kind', 'user', '--name', 'owner', '--scopes', OWNER_SCOPES];
  const owner = String((await errandJson([...create, ...placeFlags(place)])).token);

  const logs: (readonly string[])[] = [];
  const running: [LaunchedServer | null, LaunchedServer | null] = [null, null];
  const start = async (at: At): Promise<void> => {
    const server = await launchServer({ place: places[at], plant });
    logs.push(server.lines);
    running[at] = server;
  };
  opened.defer(async () => {
    for (const server of running) await server?.kill();
  });
  await Promise.all([start(0), start(1)]);

  const origin = (at: At): string | null => (running[at] ?? running[at === 0 ? 1 : 0])?.origin ?? null;
  const askAt = async (at: At, tool: string, args: object): Promise<Fields> => {
    const { status, text } = await sendJson(origin(at) ?? '', `/api/v1/tools/${tool}`, owner, args);
    if (status >= 300) throw new Error(`${tool} answered ${status}: ${text}`);
    return JSON.parse(text) as Fields;
  };
  const all = opened.move();
  return {
    place,
    owner,
    origin,
    kill: async (at, meanwhile) => {
      const server = running[at];
      running[at] = null;
      await server?.kill();
      await meanwhile?.();
      await start(at);
    },
    end: async () => {
      const servers = running.splice(0, 2, null, null);
      await Promise.all(servers.map((server) => server?.kill()));
    },
    logOf: (correlation_id) => logs.flat().filter((line) => line.includes(correlation_id)),
    ask: (tool, args) => askAt(0, tool, args),
    askAt,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Makes `count` projects. Returns their ids. */
export async function addProjects({ ask }: TwoServers, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.push(String((await ask('admin_add_project', { name: `Project ${i}` })).project_id));
  return ids;
}
