import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { DAY_MS, DEFAULT_LIMITS, HOUR_MS } from '#domain/limits';
import { LOG_LEVELS } from '#observability/log';
import { isNetwork, LOOPBACK_PROXIES } from '#transports/address';
import { DEFAULT_TRAFFIC, MIB } from '#transports/traffic';
import { count, limit, list } from './setting-forms.ts';

export interface Setting {
  readonly variable: string;
  /** The flag that sets the same and wins; null when there is none. */
  readonly flag: string | null;
  readonly takes: string;
  readonly default_text: string;
  readonly description: string;
  /** Its value is never repeated in a message. */
  readonly secret: boolean;
  readonly schema: z.ZodType<string | number | boolean | readonly string[]>;
}

const MAX_TIMEOUT_S = 600;

const HOST_NAME = /^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?$/;

const YEAR_S = 365 * 24 * 60 * 60;

/** All settings. The program and the reference are both made from this list. */
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
    description:
      'The port of the server; 0 for any free port. If you set a port that is taken, the server does not start. If you set none and the default is taken, it uses the next free port.',
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
    description: 'The folder with everything that Errand stores on this machine. Errand creates it if it is missing.',
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
      'Where MCP tasks are stored: calls that go on after their first answer. With `memory` they are lost when the server stops.',
    secret: true,
    schema: z.string().regex(/^(sqlite|postgres|memory|rediss?:\/\/.+|dynamodb:[A-Za-z0-9_.-]{3,255})$/),
  },
  max_tasks_per_owner: {
    variable: 'ERRAND_MAX_TASKS_PER_OWNER',
    ...limit(1, 100_000, ''),
    default_text: '100',
    description: 'How many unfinished MCP tasks one person, agent or service token may have.',
  },
  max_finished_tasks_per_owner: {
    variable: 'ERRAND_MAX_FINISHED_TASKS_PER_OWNER',
    ...limit(1, 100_000, ''),
    default_text: '1000',
    description:
      'How many finished MCP tasks one person, agent or service token may have. Beyond that the oldest are deleted.',
  },
  max_task_ttl: {
    variable: 'ERRAND_MAX_TASK_TTL',
    ...limit(1, YEAR_S, ' of seconds'),
    default_text: '86400 (a day)',
    description:
      'The longest life of an MCP task. A client that asks for a longer one gets this one; the answer says so.',
  },
  task_ttl: {
    variable: 'ERRAND_TASK_TTL',
    ...limit(1, YEAR_S, ' of seconds'),
    default_text: '3600 (an hour)',
    description: 'The life of an MCP task if the client asks for no other.',
  },
  max_client_sessions: {
    variable: 'ERRAND_MAX_CLIENT_SESSIONS',
    ...limit(1, 1_000_000, ''),
    default_text: '10000',
    description: 'How many MCP sessions there may be. Beyond that, a client is served without a session.',
  },
  max_client_sessions_per_token: {
    variable: 'ERRAND_MAX_CLIENT_SESSIONS_PER_TOKEN',
    ...limit(1, 100_000, ''),
    default_text: '100',
    description: 'How many MCP sessions one token may have. Beyond that, the session that was used longest ago ends.',
  },
  client_session_idle: {
    variable: 'ERRAND_CLIENT_SESSION_IDLE',
    ...limit(1, YEAR_S, ' of seconds'),
    default_text: '86400 (a day)',
    description: 'How long an MCP session lives without being used.',
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
    description: 'The key that Errand sends to Plane. Agents never see it.',
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
    default_text: 'none: the owner of the machine, or the token of `errand login`',
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
    description: 'More host names for this server. A request whose Host header has another name is refused.',
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
  trusted_proxies: {
    variable: 'ERRAND_TRUSTED_PROXIES',
    flag: null,
    takes: 'IP addresses and networks such as 10.0.0.0/8, comma separated',
    default_text: LOOPBACK_PROXIES.join(', '),
    description:
      'The proxies in front of the server. The address of a caller is the last one in X-Forwarded-For that is none of them; from anybody else the header is ignored. Wrong passwords and wrong tokens are counted by that address.',
    secret: false,
    schema: list.refine((networks) => networks.every(isNetwork)),
  },
  max_connections: {
    ...limit(10, 1_000_000, ''),
    variable: 'ERRAND_MAX_CONNECTIONS',
    default_text: String(DEFAULT_TRAFFIC.max_connections),
    description: 'How many connections may be open at once. Further ones are closed at once.',
  },
  max_requests: {
    ...limit(4, 100_000, ''),
    variable: 'ERRAND_MAX_REQUESTS',
    default_text: String(DEFAULT_TRAFFIC.max_requests),
    description:
      'How many requests with a valid token are served at once. One token may have at most a quarter of them; beyond that it gets 429. When all places are taken, every caller gets 503.',
  },
  max_tokenless_requests: {
    ...limit(4, 100_000, ''),
    variable: 'ERRAND_MAX_TOKENLESS_REQUESTS',
    default_text: String(DEFAULT_TRAFFIC.max_tokenless_requests),
    description: 'The same for requests without a valid token. The share is counted per client address.',
  },
  max_body_memory: {
    ...limit(4, 100_000, ' of MiB'),
    variable: 'ERRAND_MAX_BODY_MEMORY',
    default_text: String(DEFAULT_TRAFFIC.max_body_memory / MIB),
    description:
      'How much memory request bodies above 16 KiB may take together, shared among callers like ERRAND_MAX_REQUESTS. A request waits until there is memory for its body.',
  },
  max_unread_memory: {
    ...limit(4, 100_000, ' of MiB'),
    variable: 'ERRAND_MAX_UNREAD_MEMORY',
    default_text: String(DEFAULT_TRAFFIC.max_unread_memory / MIB),
    description:
      'How much memory unread answers may take together, shared among callers like ERRAND_MAX_REQUESTS. A caller beyond its share gets 429 until it reads.',
  },
  memory_target: {
    ...limit(64, 1_000_000, ' of MiB'),
    variable: 'ERRAND_MEMORY_TARGET',
    default_text: String(DEFAULT_TRAFFIC.memory_target / MIB),
    description: 'How much memory the server should use. Above this, it collects garbage more often, which costs CPU.',
  },
  max_batch_size: {
    ...limit(1, 1_000, ' of MiB'),
    variable: 'ERRAND_MAX_BATCH_SIZE',
    default_text: String(DEFAULT_TRAFFIC.max_batch_bytes / MIB),
    description:
      'How large all answers to one JSON-RPC batch may be together. The remaining requests of the batch are refused and not run.',
  },
  max_wait: {
    ...limit(1, 600, ' of seconds'),
    variable: 'ERRAND_MAX_WAIT',
    default_text: String(DEFAULT_TRAFFIC.max_wait_ms / 1_000),
    description: 'How long a request waits behind other requests of the same caller before it gets 429.',
  },
  write_timeout: {
    ...limit(1, 600, ' of seconds'),
    variable: 'ERRAND_WRITE_TIMEOUT',
    default_text: String(DEFAULT_TRAFFIC.write_timeout_ms / 1_000),
    description: 'How long a client may leave an answer unread before its connection is cut.',
  },
  task_manager_host: {
    variable: 'TASK_MANAGER_HOST',
    flag: null,
    takes: 'an IP address or a host name',
    default_text: 'localhost',
    description:
      'The host of the Task Manager to which `errand mcp --profile executions` and `errand step` send reports. The server does not read it.',
    secret: false,
    schema: z
      .string()
      .max(253)
      .transform((host) => host.replace(/^\[([0-9A-Fa-f:.]+:[0-9A-Fa-f:.]*)\]$/, '$1'))
      .refine((host) => (isIPv6(host) ? !host.includes('%') : HOST_NAME.test(host) && URL.canParse(`http://${host}`))),
  },
  task_manager_port: {
    variable: 'TASK_MANAGER_PORT',
    flag: null,
    takes: 'a whole number from 1 to 65535',
    default_text: '8080',
    description: 'The port of the Task Manager.',
    secret: false,
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((port) => port >= 1 && port <= 65_535),
  },
  task_manager_timeout: {
    variable: 'TASK_MANAGER_TIMEOUT',
    flag: null,
    takes: `a number of seconds above 0, at most ${MAX_TIMEOUT_S}`,
    default_text: '30',
    description: 'How long a report waits for the Task Manager before it fails.',
    secret: false,
    schema: z
      .string()
      .regex(/^(\d{1,3}(\.\d{0,6})?|\.\d{1,6})$/)
      .transform(Number)
      .refine((seconds) => seconds > 0 && seconds <= MAX_TIMEOUT_S),
  },
  task_manager_token: {
    variable: 'TASK_MANAGER_TOKEN',
    flag: null,
    takes: 'a token that the Task Manager takes, in visible ASCII characters',
    default_text: 'none',
    description: 'The token that is sent with every report. A token of Errand needs the scope `execution:report`.',
    secret: true,
    schema: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  },
  use_mock_client: {
    variable: 'USE_MOCK_CLIENT',
    flag: null,
    takes: 'true or false',
    default_text: 'false',
    description: 'Keeps reports in memory instead of sending them, for tests of agents.',
    secret: false,
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['true', 'false']))
      .transform((text) => text === 'true'),
  },
  url: {
    variable: 'ERRAND_URL',
    flag: '--url',
    takes: 'an address such as http://127.0.0.1:8080',
    default_text: 'none: the data of this machine',
    description:
      'The server that commands work on, with `ERRAND_TOKEN`, instead of data of this machine. For `errand worker` the address at which its agents reach the server. `errand serve` ignores it. Errand sets it for the agents that it starts.',
    secret: false,
    schema: z
      .string()
      .regex(/^https?:\/\/[^/?#@\s]+\/?$/)
      .refine((text) => URL.canParse(text))
      .transform((text) => text.replace(/\/$/, '')),
  },
  max_messages_per_user: {
    variable: 'ERRAND_MAX_MESSAGES_PER_USER',
    default_text: String(DEFAULT_LIMITS.max_messages_per_user),
    description: 'How many messages of one user are kept. Older ones are deleted within ten minutes.',
    ...count(7),
  },
  message_days: {
    variable: 'ERRAND_MESSAGE_DAYS',
    default_text: String(DEFAULT_LIMITS.messages_kept_ms / DAY_MS),
    description: 'How long a conversation is kept after its last message.',
    ...count(4, ' of days'),
  },
  event_hours: {
    variable: 'ERRAND_EVENT_HOURS',
    default_text: String(DEFAULT_LIMITS.events_kept_ms / HOUR_MS),
    description: 'How long events are kept. A listener that was away for longer asks for everything again.',
    ...count(4, ' of hours'),
  },
  max_app_users: {
    variable: 'ERRAND_MAX_APP_USERS',
    default_text: String(DEFAULT_LIMITS.max_app_users),
    description: 'How many users one app may have. A call that names one more is refused.',
    ...count(7),
  },
  execution_id: {
    variable: 'NOVA_EXECUTION_ID',
    flag: '--execution',
    takes: 'the id of an execution, 1 to 64 characters',
    default_text: 'none',
    description: 'The run to which `errand step` reports. Errand sets it for the agents that it starts.',
    secret: false,
    schema: z.string().min(1).max(64),
  },
  log_level: {
    variable: 'ERRAND_LOG_LEVEL',
    flag: null,
    takes: LOG_LEVELS.join(', '),
    default_text: 'info; warn for the server on a terminal; error for commands',
    description:
      'The lowest level of log lines that are written. The server writes them to stdout, every other command to stderr.',
    secret: false,
    schema: z.enum(LOG_LEVELS),
  },
} as const satisfies Record<string, Setting>;
