import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TaskLimits } from '@errand/tasks';
import type { z } from 'zod';
import type { TaskManagerAccess } from '#clients/create-task-manager';
import { type ClientSessionLimits, DEFAULT_CLIENT_SESSION_LIMITS } from '#domain/client-session';
import { DAY_MS, DEFAULT_LIMITS, HOUR_MS, type Limits } from '#domain/limits';
import { ErrandError } from '#errors';
import type { LogLevel } from '#observability/log';
import type { PlaneAccess } from '#tracker/plane/plane-client';
import { LOOPBACK_PROXIES } from '#transports/address';
import { DEFAULT_TRAFFIC, MIB, type Traffic } from '#transports/traffic';
import { SETTINGS, type Setting } from './settings.ts';
import { assertKnownVariables } from './unknown-variables.ts';

export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The store of MCP tasks. */
export type TaskStoreChoice =
  | Database
  | { readonly kind: 'memory' }
  | { readonly kind: 'redis'; readonly url: string }
  | { readonly kind: 'dynamodb'; readonly table: string };

export interface Config {
  readonly host: string;
  /** Null: the default port of the command. */
  readonly port: number | null;
  readonly data: string;
  readonly database: Database;
  readonly task_store: TaskStoreChoice;
  /** The limits that were set; the library's defaults apply to the others. */
  readonly task_limits: Partial<TaskLimits>;
  readonly client_session_limits: ClientSessionLimits;
  /** The Plane that keeps the work items; null when Errand keeps them. */
  readonly plane: PlaneAccess | null;
  readonly token: string | null;
  /** The address at which agents reach the server; null when it is not set. */
  readonly url: string | null;
  readonly allow_anonymous: boolean;
  readonly limits: Limits;
  readonly allowed_hosts: readonly string[];
  readonly allowed_origins: readonly string[];
  readonly trusted_proxies: readonly string[];
  readonly traffic: Traffic;
  /** Null: the usual level of the command. */
  readonly log_level: LogLevel | null;
}

/** Names a database without its password. */
export function databaseName(database: Database): string {
  if (database.kind === 'sqlite') return database.path;
  const { host, pathname } = new URL(database.url);
  return `postgres://${host}${pathname}`;
}

type SettingName = keyof typeof SETTINGS;
type Value<Name extends SettingName> = z.output<(typeof SETTINGS)[Name]['schema']>;

/** Values of flags, by the names of their settings. */
export type Flags = { readonly [Name in SettingName]?: string | undefined };
type Environment = Readonly<Record<string, string | undefined>>;

function badValue({ variable, flag, takes, secret }: Setting, fromFlag: boolean, text: string): ErrandError {
  // A URL may hold a password before its @.
  const got = secret || text.includes('@') ? 'a value of another form' : JSON.stringify(text);
  return new ErrandError('validation_error', `${fromFlag ? flag : variable}: got ${got}, takes ${takes}.`);
}

function readSetting<Name extends SettingName>(name: Name, env: Environment, flags: Flags): Value<Name> | undefined {
  const setting: Setting = SETTINGS[name];
  const flag = flags[name];
  const text = flag ?? env[setting.variable];
  if (text === undefined || (flag === undefined && text === '')) return undefined;
  const parsed = setting.schema.safeParse(text);
  if (!parsed.success) throw badValue(setting, flag !== undefined, text);
  // Safe: the schema is this setting's own, but the compiler cannot follow the lookup.
  return parsed.data as Value<Name>;
}

const DEFAULT_DATA = '~/.errand';

const expand = (path: string, home: string): string =>
  resolve(path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path);

/** Gives `sslmode` the meaning that it has in psql. The driver has another one, and prints nine lines about it. */
function asPsqlReads(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url;
  return `${url}&uselibpqcompat=true`;
}

function databaseOf(url: string | undefined, data: string, home: string): Database {
  if (url === undefined) return { kind: 'sqlite', path: join(data, 'errand.db') };
  if (!url.startsWith('sqlite:')) return { kind: 'postgres', url: asPsqlReads(url) };
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

const SQLITE_FILES = ['', '-wal', '-shm', '-journal'];
/** Where a server beside a database runs the commands of its owner: an agent that reached it would act as the owner. */
const COMMANDS = 'commands';

/** The paths of this installation's secrets, which no agent may read: the data folder, the default one, other databases. */
export function privatePlaces(
  { data, database, task_store }: Pick<Config, 'data' | 'database' | 'task_store'>,
  home: string = homedir(),
): readonly string[] {
  const files = [database, task_store].flatMap((place) =>
    place.kind === 'sqlite' ? SQLITE_FILES.map((suffix) => `${place.path}${suffix}`) : [],
  );
  const commands = database.kind === 'sqlite' ? [join(dirname(database.path), COMMANDS)] : [];
  return [data, expand(DEFAULT_DATA, home), ...files, ...commands];
}

function trafficOf(env: Environment, flags: Flags): Traffic {
  const given = {
    max_connections: readSetting('max_connections', env, flags),
    max_requests: readSetting('max_requests', env, flags),
    max_tokenless_requests: readSetting('max_tokenless_requests', env, flags),
    max_body_memory: inBytes(readSetting('max_body_memory', env, flags)),
    max_unread_memory: inBytes(readSetting('max_unread_memory', env, flags)),
    memory_target: inBytes(readSetting('memory_target', env, flags)),
    max_batch_bytes: inBytes(readSetting('max_batch_size', env, flags)),
    max_wait_ms: inMilliseconds(readSetting('max_wait', env, flags)),
    write_timeout_ms: inMilliseconds(readSetting('write_timeout', env, flags)),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_TRAFFIC, ...Object.fromEntries(set) };
}

const inBytes = (mebibytes: number | undefined): number | undefined => mebibytes && mebibytes * MIB;
const inMilliseconds = (seconds: number | undefined): number | undefined => seconds && seconds * 1_000;

function taskLimitsOf(env: Environment, flags: Flags): Partial<TaskLimits> {
  const max_tasks_per_owner = readSetting('max_tasks_per_owner', env, flags);
  const max_finished_per_owner = readSetting('max_finished_tasks_per_owner', env, flags);
  const max_ttl = readSetting('max_task_ttl', env, flags);
  const default_ttl = readSetting('task_ttl', env, flags);
  return {
    ...(max_tasks_per_owner !== undefined && { max_tasks_per_owner }),
    ...(max_finished_per_owner !== undefined && { max_finished_per_owner }),
    ...(max_ttl !== undefined && { max_ttl_ms: max_ttl * 1000 }),
    ...(default_ttl !== undefined && { default_ttl_ms: default_ttl * 1000 }),
  };
}

function sessionLimitsOf(env: Environment, flags: Flags): ClientSessionLimits {
  const usual = DEFAULT_CLIENT_SESSION_LIMITS;
  const idle = readSetting('client_session_idle', env, flags);
  return {
    max_sessions: readSetting('max_client_sessions', env, flags) ?? usual.max_sessions,
    max_sessions_per_caller: readSetting('max_client_sessions_per_token', env, flags) ?? usual.max_sessions_per_caller,
    idle_ms: idle === undefined ? usual.idle_ms : idle * 1000,
  };
}

function limitsOf(env: Environment, flags: Flags): Limits {
  const days = readSetting('message_days', env, flags);
  const hours = readSetting('event_hours', env, flags);
  const { max_app_users, max_messages_per_user, messages_kept_ms, events_kept_ms } = DEFAULT_LIMITS;
  return {
    max_app_users: readSetting('max_app_users', env, flags) ?? max_app_users,
    max_messages_per_user: readSetting('max_messages_per_user', env, flags) ?? max_messages_per_user,
    messages_kept_ms: days === undefined ? messages_kept_ms : days * DAY_MS,
    events_kept_ms: hours === undefined ? events_kept_ms : hours * HOUR_MS,
  };
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Reads the settings: flags win over the environment, that over the defaults. Throws `validation_error` with one line for the person. */
export function readConfig(env: Environment, flags: Flags = {}, home: string = homedir()): Config {
  assertKnownVariables(env);
  const data = expand(readSetting('data', env, flags) ?? DEFAULT_DATA, home);
  const host = readSetting('host', env, flags) ?? '127.0.0.1';
  const allow_anonymous = readSetting('allow_anonymous', env, flags) ?? false;
  if (allow_anonymous && !isLoopback(host)) {
    throw new ErrandError(
      'validation_error',
      `ERRAND_ALLOW_ANONYMOUS: got "true" while listening on ${host}, takes false there: anybody who reaches it could do everything. Listen on 127.0.0.1, or give each caller a token (errand token create).`,
    );
  }
  const database = databaseOf(readSetting('database_url', env, flags), data, home);
  return {
    host,
    port: readSetting('port', env, flags) ?? null,
    data,
    database,
    task_store: taskStoreOf(readSetting('task_store', env, flags), database, data),
    task_limits: taskLimitsOf(env, flags),
    client_session_limits: sessionLimitsOf(env, flags),
    plane: planeOf(env, flags),
    token: readSetting('token', env, flags) ?? null,
    url: readSetting('url', env, flags) ?? null,
    allow_anonymous,
    limits: limitsOf(env, flags),
    allowed_hosts: readSetting('allowed_hosts', env, flags) ?? [],
    allowed_origins: readSetting('allowed_origins', env, flags) ?? [],
    trusted_proxies: readSetting('trusted_proxies', env, flags) ?? LOOPBACK_PROXIES,
    traffic: trafficOf(env, flags),
    log_level: readSetting('log_level', env, flags) ?? null,
  };
}

/** The server that a command calls, and the token that it sends. */
export interface ServerAccess {
  readonly url: string;
  readonly token: string | null;
}

/**
 * Reads which server a command calls; null when it opens the data of this machine. What is typed wins over the
 * environment, that over the stored login; among variables an address wins over data.
 */
export function readServer(
  env: Environment,
  flags: Pick<Flags, 'data' | 'database_url'>,
  storedLogin: () => (ServerAccess & { readonly token: string }) | null,
): ServerAccess | null {
  assertKnownVariables(env);
  if (flags.data !== undefined || flags.database_url !== undefined) return null;
  const token = readSetting('token', env, {}) ?? null;
  const url = readSetting('url', env, {});
  if (url !== undefined) {
    const login = token === null ? storedLogin() : null;
    return { url, token: login?.url === url ? login.token : token };
  }
  const isHere = [readSetting('data', env, {}), readSetting('database_url', env, {})].some((set) => set !== undefined);
  const login = isHere ? null : storedLogin();
  return login === null ? null : { url: login.url, token: token ?? login.token };
}

/** Reads the address of a server that was typed. */
export function readUrl(typed: string): string {
  const url = readSetting('url', {}, { url: typed });
  if (url === undefined) throw badValue(SETTINGS.url, true, typed);
  return url;
}

/** Reads the address of the Task Manager. Only reporters read these variables: elsewhere they may be another program's. */
export function readTaskManager(env: Environment): TaskManagerAccess {
  assertKnownVariables(env);
  return {
    use_mock: readSetting('use_mock_client', env, {}) ?? false,
    host: readSetting('task_manager_host', env, {}) ?? 'localhost',
    port: readSetting('task_manager_port', env, {}) ?? 8080,
    timeout_s: readSetting('task_manager_timeout', env, {}) ?? 30,
    token: readSetting('task_manager_token', env, {}) ?? null,
  };
}

/** Whether the environment names a Task Manager; without one, steps go to the store of this machine. */
export const namesTaskManager = (env: Environment): boolean =>
  readTaskManager(env).use_mock ||
  [SETTINGS.task_manager_host, SETTINGS.task_manager_port, SETTINGS.task_manager_token].some(
    ({ variable }) => (env[variable] ?? '') !== '',
  );

export const readExecutionId = (env: Environment, flags: Pick<Flags, 'execution_id'>): string | null =>
  readSetting('execution_id', env, flags) ?? null;

export const readLogLevel = (env: Environment): LogLevel | null => readSetting('log_level', env, {}) ?? null;
