import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ErrandError } from '#errors';
import { LOG_LEVELS, type LogLevel } from '#observability/log';
import type { PlaneAccess } from '#tracker/plane/plane-client';

export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Where MCP tasks are kept. */
export type TaskStoreChoice =
  | Database
  | { readonly kind: 'memory' }
  | { readonly kind: 'redis'; readonly url: string }
  | { readonly kind: 'dynamodb'; readonly table: string };

export interface Config {
  readonly host: string;
  /** Null: the usual one of what is started. */
  readonly port: number | null;
  readonly data: string;
  readonly database: Database;
  readonly task_store: TaskStoreChoice;
  /** Null: the work items are Errand's own. */
  /** A Plane that keeps the work items instead of Errand. */
  readonly plane: PlaneAccess | null;
  readonly token: string | null;
  readonly allow_anonymous: boolean;
  readonly allowed_hosts: readonly string[];
  readonly allowed_origins: readonly string[];
  /** Null: the usual one of what is started. */
  readonly log_level: LogLevel | null;
}

export interface Setting {
  readonly variable: string;
  /** The flag that says the same and wins; null when there is none. */
  readonly flag: string | null;
  readonly takes: string;
  readonly default_text: string;
  readonly description: string;
  /** Its value is never repeated in a message. */
  readonly secret: boolean;
  readonly schema: z.ZodType<string | number | boolean | readonly string[]>;
}

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** The one list of settings: what the program reads and what the reference shows. */
export const SETTINGS = {
  host: {
    variable: 'ERRAND_HOST',
    flag: '--host',
    takes: 'an IP address or a host name',
    default_text: '127.0.0.1',
    description: 'Where the server listens. Anything but loopback lets other machines in; they need a token.',
    secret: false,
    schema: z.string().regex(/^[A-Za-z0-9.:_-]+$/),
  },
  port: {
    variable: 'ERRAND_PORT',
    flag: '--port',
    takes: 'a whole number from 0 to 65535',
    default_text: '8080 (8001 with `--profile todo`)',
    description: 'The port of the server. 0 takes any free one; a port that is taken moves on to the next free one.',
    secret: false,
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((port) => port <= 65_535),
  },
  data: {
    variable: 'ERRAND_DATA',
    flag: '--data',
    takes: 'the path of a folder',
    default_text: '~/.errand',
    description: 'The folder of everything that Errand keeps on this machine. It is made when it is missing.',
    secret: false,
    schema: z.string(),
  },
  database_url: {
    variable: 'ERRAND_DATABASE_URL',
    flag: '--database-url',
    takes: 'sqlite:PATH or postgres://…',
    default_text: 'sqlite:errand.db in the data folder',
    description: 'Where tasks are stored. Several servers share one Postgres.',
    secret: true,
    schema: z.string().regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/),
  },
  task_store: {
    variable: 'ERRAND_TASK_STORE',
    flag: null,
    takes: 'sqlite, postgres, redis://…, dynamodb:TABLE or memory',
    default_text: 'the kind of the database: sqlite (tasks.db in the data folder) or postgres (the same database)',
    description:
      'Where MCP tasks are kept, which outlive the request that made them. `memory` forgets them when the server stops.',
    secret: true,
    schema: z.string().regex(/^(sqlite|postgres|memory|rediss?:\/\/.+|dynamodb:[A-Za-z0-9_.-]{3,255})$/),
  },
  plane_base_url: {
    variable: 'PLANE_BASE_URL',
    flag: null,
    takes: 'an address such as https://plane.example.com',
    default_text: 'none: work items are Errand’s own',
    description: 'The Plane whose work items the tasker tools work on. Needs the two settings below.',
    secret: false,
    schema: z
      .string()
      .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
      .transform((text) => text.replace(/\/+$/, '')),
  },
  plane_api_key: {
    variable: 'PLANE_API_KEY',
    flag: null,
    takes: 'an API key of Plane',
    default_text: 'none',
    description: 'The key with which Errand asks Plane. Agents never see it.',
    secret: true,
    schema: z.string().regex(/^[\x21-\x7e]+$/),
  },
  plane_workspace_slug: {
    variable: 'PLANE_WORKSPACE_SLUG',
    flag: null,
    takes: 'the name of a workspace as it stands in the address of Plane',
    default_text: 'none',
    description: 'The workspace of Plane that the agents work in.',
    secret: false,
    schema: z.string().regex(/^[\w-]{1,100}$/),
  },
  token: {
    variable: 'ERRAND_TOKEN',
    flag: null,
    takes: 'a token of Errand (errand_…)',
    default_text: 'none: the owner of the machine',
    description: 'Who the command line and `errand mcp` act as.',
    secret: true,
    schema: z.string().regex(/^errand_\S+$/),
  },
  allow_anonymous: {
    variable: 'ERRAND_ALLOW_ANONYMOUS',
    flag: null,
    takes: 'true or false',
    default_text: 'false',
    description: 'Lets callers without a token act as the owner of the machine. Only on loopback.',
    secret: false,
    schema: z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1'),
  },
  allowed_hosts: {
    variable: 'ERRAND_ALLOWED_HOSTS',
    flag: null,
    takes: 'host names, comma separated, with or without a port',
    default_text: 'loopback names, and the address it listens on',
    description: 'More names under which the server may be asked; requests with another Host are refused.',
    secret: false,
    schema: list.refine((hosts) => hosts.every((host) => /^[A-Za-z0-9.:[\]_-]+$/.test(host))),
  },
  allowed_origins: {
    variable: 'ERRAND_ALLOWED_ORIGINS',
    flag: null,
    takes: 'origins such as https://board.example.com, comma separated',
    default_text: 'its own',
    description: 'More web origins whose pages may call the server.',
    secret: false,
    schema: list.refine((origins) =>
      origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    ),
  },
  log_level: {
    variable: 'ERRAND_LOG_LEVEL',
    flag: null,
    takes: LOG_LEVELS.join(', '),
    default_text: 'info; error for commands',
    description: 'From which level on log lines are written: to stdout by the server, to stderr by everything else.',
    secret: false,
    schema: z.enum(LOG_LEVELS),
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof SETTINGS;
type Value<Name extends SettingName> = z.output<(typeof SETTINGS)[Name]['schema']>;

/** Values of flags, under the names of their settings. */
export type Flags = { readonly [Name in SettingName]?: string | undefined };
export type Environment = Readonly<Record<string, string | undefined>>;

function badValue({ variable, flag, takes, secret }: Setting, fromFlag: boolean, text: string): ErrandError {
  const got = secret ? 'a value of another form' : JSON.stringify(text);
  return new ErrandError('validation_error', `${fromFlag ? flag : variable}: got ${got}, takes ${takes}.`);
}

function readSetting<Name extends SettingName>(name: Name, env: Environment, flags: Flags): Value<Name> | undefined {
  const setting: Setting = SETTINGS[name];
  const flag = flags[name];
  const text = flag ?? env[setting.variable];
  if (text === undefined || (flag === undefined && text === '')) return undefined;
  const parsed = setting.schema.safeParse(text);
  if (!parsed.success) throw badValue(setting, flag !== undefined, text);
  // The schema is that of this very setting; the compiler cannot follow the lookup.
  return parsed.data as Value<Name>;
}

const expand = (path: string, home: string): string =>
  resolve(path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path);

function databaseOf(url: string | undefined, data: string, home: string): Database {
  if (url === undefined) return { kind: 'sqlite', path: join(data, 'errand.db') };
  if (!url.startsWith('sqlite:')) return { kind: 'postgres', url };
  return { kind: 'sqlite', path: expand(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''), home) };
}

function taskStoreOf(choice: string | undefined, database: Database, data: string): TaskStoreChoice {
  const kind = choice ?? database.kind;
  if (kind === 'memory') return { kind };
  if (kind === 'sqlite') return { kind, path: join(data, 'tasks.db') };
  if (kind.startsWith('dynamodb:')) return { kind: 'dynamodb', table: kind.slice('dynamodb:'.length) };
  if (kind !== 'postgres') return { kind: 'redis', url: kind };
  if (database.kind === 'postgres') return database;
  throw new ErrandError(
    'validation_error',
    'ERRAND_TASK_STORE: got "postgres" while the database is SQLite, takes postgres only with ERRAND_DATABASE_URL=postgres://….',
  );
}

function planeOf(env: Environment, flags: Flags): PlaneAccess | null {
  const base_url = readSetting('plane_base_url', env, flags);
  const api_key = readSetting('plane_api_key', env, flags);
  const workspace_slug = readSetting('plane_workspace_slug', env, flags);
  if (base_url === undefined && api_key === undefined && workspace_slug === undefined) return null;
  if (base_url !== undefined && api_key !== undefined && workspace_slug !== undefined) {
    return { base_url, api_key, workspace_slug };
  }
  throw new ErrandError(
    'validation_error',
    'PLANE_BASE_URL, PLANE_API_KEY and PLANE_WORKSPACE_SLUG: got only some of them, takes all three or none.',
  );
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** The environment of this process, for `readConfig` and for programs that are started. */
export const environment = (): NodeJS.ProcessEnv => process.env;

/** Flags win over the environment, that over the defaults. Throws `validation_error` with one line for the person at the terminal. */
export function readConfig(env: Environment, flags: Flags = {}, home: string = homedir()): Config {
  const data = expand(readSetting('data', env, flags) ?? '~/.errand', home);
  const host = readSetting('host', env, flags) ?? '127.0.0.1';
  const allow_anonymous = readSetting('allow_anonymous', env, flags) ?? false;
  if (allow_anonymous && !isLoopback(host)) {
    throw new ErrandError(
      'validation_error',
      `ERRAND_ALLOW_ANONYMOUS: got "true" while listening on ${host}, takes false there: whoever reaches it could do everything. Listen on 127.0.0.1, or give each caller a token (errand token create).`,
    );
  }
  const database = databaseOf(readSetting('database_url', env, flags), data, home);
  return {
    host,
    port: readSetting('port', env, flags) ?? null,
    data,
    database,
    task_store: taskStoreOf(readSetting('task_store', env, flags), database, data),
    plane: planeOf(env, flags),
    token: readSetting('token', env, flags) ?? null,
    allow_anonymous,
    allowed_hosts: readSetting('allowed_hosts', env, flags) ?? [],
    allowed_origins: readSetting('allowed_origins', env, flags) ?? [],
    log_level: readSetting('log_level', env, flags) ?? null,
  };
}
