import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#domain/limits';
import { runVariables } from '#runner/run-variables';
import { DEFAULT_TRAFFIC } from '#transports/traffic';
import {
  isLoopback,
  namesTaskManager,
  privatePlaces,
  readConfig,
  readExecutionId,
  readServer,
  readTaskManager,
  readUrl,
} from './config.ts';
import { SETTINGS } from './settings.ts';

const HOME = '/home/ann';

const lineOf = (env: Record<string, string>, flags = {}): string => {
  try {
    readConfig(env, flags, HOME);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  throw new Error('The configuration was taken.');
};

describe('configuration', () => {
  it('has a default for everything', () => {
    const config = readConfig({}, {}, HOME);

    expect(config).toEqual({
      host: '127.0.0.1',
      port: null,
      data: '/home/ann/.errand',
      database: { kind: 'sqlite', path: '/home/ann/.errand/errand.db' },
      task_store: { kind: 'sqlite', path: '/home/ann/.errand/tasks.db' },
      task_limits: {},
      client_session_limits: { max_sessions: 10_000, max_sessions_per_caller: 100, idle_ms: 86_400_000 },
      plane: null,
      token: null,
      url: null,
      allow_anonymous: false,
      limits: DEFAULT_LIMITS,
      allowed_hosts: [],
      allowed_origins: [],
      trusted_proxies: ['127.0.0.0/8', '::1'],
      traffic: DEFAULT_TRAFFIC,
      log_level: null,
    });
  });

  it('counts the data folder, the default one and other databases among the paths that agents must not see', () => {
    const config = readConfig({ ERRAND_DATA: '/srv/errand', ERRAND_DATABASE_URL: 'sqlite:/var/db/e.db' }, {}, HOME);

    const places = privatePlaces(config, HOME);

    const beside = ['/var/db/e.db', '/var/db/e.db-wal', '/var/db/commands'];
    expect(places).toEqual(expect.arrayContaining(['/srv/errand', '/home/ann/.errand', ...beside]));
  });

  it('prefers flags to the environment, and the environment to defaults', () => {
    const env = { ERRAND_PORT: '9000', ERRAND_HOST: '127.0.0.2' };

    const config = readConfig(env, { port: '9001' }, HOME);

    expect(config).toMatchObject({ port: 9001, host: '127.0.0.2' });
  });

  it('reads limits in their own units, and refuses one that would let no request through', () => {
    const read = (env: Record<string, string>) => readConfig(env, {}, HOME).traffic;

    expect(read({ ERRAND_MAX_UNREAD_MEMORY: '16', ERRAND_WRITE_TIMEOUT: '5', ERRAND_MAX_REQUESTS: '50' })).toEqual({
      ...DEFAULT_TRAFFIC,
      max_unread_memory: 16 * 1024 * 1024,
      write_timeout_ms: 5_000,
      max_requests: 50,
    });
    expect(() => read({ ERRAND_MAX_REQUESTS: '0' })).toThrow('ERRAND_MAX_REQUESTS');
  });

  it('reads the limits of tasks and of client sessions', () => {
    const env = {
      ERRAND_MAX_TASKS_PER_OWNER: '7',
      ERRAND_MAX_FINISHED_TASKS_PER_OWNER: '30',
      ERRAND_MAX_TASK_TTL: '600',
      ERRAND_TASK_TTL: '60',
      ERRAND_MAX_CLIENT_SESSIONS: '20',
      ERRAND_MAX_CLIENT_SESSIONS_PER_TOKEN: '2',
      ERRAND_CLIENT_SESSION_IDLE: '30',
    };

    const { task_limits, client_session_limits } = readConfig(env, {}, HOME);

    expect(task_limits).toEqual({
      max_tasks_per_owner: 7,
      max_finished_per_owner: 30,
      max_ttl_ms: 600_000,
      default_ttl_ms: 60_000,
    });
    expect(client_session_limits).toEqual({ max_sessions: 20, max_sessions_per_caller: 2, idle_ms: 30_000 });
    for (const text of ['0', '-1', '1.5', 'many', '100001']) {
      expect(lineOf({ ERRAND_MAX_TASKS_PER_OWNER: text })).toBe(
        `ERRAND_MAX_TASKS_PER_OWNER: got "${text}", takes a whole number from 1 to 100000.`,
      );
    }
  });

  it('takes the address of the server without a path, and refuses anything else', () => {
    const read = (url: string) => readConfig({}, { url }, HOME).url;

    expect(read('http://10.0.0.5:8080/')).toBe('http://10.0.0.5:8080');
    for (const url of ['10.0.0.5:8080', 'ftp://host', 'http://host/path', 'http://me:secret@host', 'http://']) {
      expect(() => read(url)).toThrow(/^--url: got .*, takes an address such as/);
    }
  });

  it('treats an empty variable as one that is not set', () => {
    expect(readConfig({ ERRAND_PORT: '', ERRAND_TOKEN: '' }, {}, HOME)).toMatchObject({ port: null, token: null });
  });

  it.each([
    ['sqlite:/var/x.db', { kind: 'sqlite', path: '/var/x.db' }],
    ['sqlite:///var/x.db', { kind: 'sqlite', path: '/var/x.db' }],
    ['sqlite:~/x.db', { kind: 'sqlite', path: '/home/ann/x.db' }],
    ['postgres://u:p@h/d', { kind: 'postgres', url: 'postgres://u:p@h/d' }],
    [
      'postgres://u:p@h/d?sslmode=require',
      { kind: 'postgres', url: 'postgres://u:p@h/d?sslmode=require&uselibpqcompat=true' },
    ],
  ])('reads the database %s', (url, database) => {
    expect(readConfig({ ERRAND_DATABASE_URL: url }, {}, HOME).database).toEqual(database);
  });

  it('reads the three settings of Plane together, and refuses some of them', () => {
    const env = {
      PLANE_BASE_URL: 'https://plane.example/',
      PLANE_API_KEY: 'plane_api_1',
      PLANE_WORKSPACE_SLUG: 'acme',
    };

    expect(readConfig(env, {}, HOME).plane).toEqual({
      base_url: 'https://plane.example',
      api_key: 'plane_api_1',
      workspace_slug: 'acme',
    });
    for (const missing of Object.keys(env)) expect(lineOf({ ...env, [missing]: '' })).toContain('takes all three');
    expect(lineOf({ ...env, PLANE_BASE_URL: 'ftp://plane' })).toContain('PLANE_BASE_URL: got "ftp://plane"');
    expect(lineOf({ ...env, PLANE_API_KEY: 'two words' })).not.toContain('two words');
  });

  it('reads lists, comma separated', () => {
    const env = { ERRAND_ALLOWED_HOSTS: 'a.example, b.example:8443', ERRAND_ALLOWED_ORIGINS: 'https://a.example' };

    const config = readConfig(env, {}, HOME);

    expect(config.allowed_hosts).toEqual(['a.example', 'b.example:8443']);
    expect(config.allowed_origins).toEqual(['https://a.example']);
  });

  it.each([
    [{ ERRAND_PORT: 'abc' }, 'ERRAND_PORT: got "abc", takes a whole number from 0 to 65535.'],
    [{ ERRAND_PORT: '70000' }, 'ERRAND_PORT: got "70000", takes a whole number from 0 to 65535.'],
    [{ ERRAND_LOG_LEVEL: 'loud' }, `ERRAND_LOG_LEVEL: got "loud", takes ${SETTINGS.log_level.takes}.`],
    [{ ERRAND_ALLOW_ANONYMOUS: 'yes' }, 'ERRAND_ALLOW_ANONYMOUS: got "yes", takes true or false.'],
    [{ ERRAND_TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /^ERRAND_TRUSTED_PROXIES: got .* takes IP addresses/],
    [{ ERRAND_ALLOWED_ORIGINS: 'https://a.example/x' }, /^ERRAND_ALLOWED_ORIGINS: got .* takes origins/],
    [{ ERRAND_HOST: 'not a host' }, /^ERRAND_HOST: got "not a host"/],
  ])('answers %j with one line that names the variable, the value and what it takes', (env, line) => {
    const said = lineOf(env);

    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
  });

  it('names the flag when the bad value came from one', () => {
    expect(lineOf({}, { port: 'x' })).toBe('--port: got "x", takes a whole number from 0 to 65535.');
  });

  it.each([
    ['ERRAND_OIDC_ISSUER', /^ERRAND_OIDC_ISSUER: Errand has no such setting\. Rename the variable or unset it\.$/],
    ['ERRAND_FOO', /^ERRAND_FOO: Errand has no such setting\. Rename the variable or unset it\.$/],
    ['ERRAND_PROT', /^ERRAND_PROT: Errand has no such setting\. Did you mean ERRAND_PORT\? Rename/],
    ['ERRAND_DATABASE_URI', /Did you mean ERRAND_DATABASE_URL\?/],
    ['ERRAND_LOGLEVEL', /Did you mean ERRAND_LOG_LEVEL\?/],
  ])('refuses %s, which is no setting, and names one that is spelt alike', (name, line) => {
    const said = lineOf({ [name]: 'hunter2' });

    expect(said).toMatch(line);
    expect(said).not.toContain('hunter2');
    expect(() => readTaskManager({ [name]: 'hunter2' })).toThrow(line);
  });

  it('ignores an unknown variable without a value, or without the prefix', () => {
    expect(() => readConfig({ ERRAND_OIDC_ISSUER: '', MY_ERRAND_THING: 'x' }, {}, HOME)).not.toThrow();
  });

  it('knows the variables that it sets for agents', () => {
    const env = runVariables({
      url: 'http://127.0.0.1:8080',
      secret: 'errand_attempt_x',
      execution_id: 'e',
      session: { agent_session_id: 's' },
    });

    expect(env).toHaveProperty('ERRAND_AGENT_SESSION_ID');
    expect(() => readConfig(env, {}, HOME)).not.toThrow();
  });

  it('ignores the variables that Kubernetes sets for a service of its name', () => {
    const env = {
      ERRAND_POSTGRES_SERVICE_HOST: '10.0.0.1',
      ERRAND_POSTGRES_SERVICE_PORT_SQL: '5432',
      ERRAND_POSTGRES_PORT: 'tcp://10.0.0.1:5432',
      ERRAND_POSTGRES_PORT_5432_TCP_ADDR: '10.0.0.1',
    };

    expect(() => readConfig(env, {}, HOME)).not.toThrow();
  });

  it('never repeats a value that may hold a secret', () => {
    const said = lineOf({ ERRAND_DATABASE_URL: 'mysql://root:hunter2@h/d' }) + lineOf({ ERRAND_TOKEN: 'hunter2' });

    expect(said).not.toContain('hunter2');
  });

  it.each([
    ['sqlite', { kind: 'sqlite', path: '/home/ann/.errand/tasks.db' }],
    ['memory', { kind: 'memory' }],
    ['redis://cache:6379/2', { kind: 'redis', url: 'redis://cache:6379/2' }],
    ['rediss://cache', { kind: 'redis', url: 'rediss://cache' }],
    ['dynamodb:tasks.prod', { kind: 'dynamodb', table: 'tasks.prod' }],
  ])('takes %s as the store of tasks', (text, choice) => {
    expect(readConfig({ ERRAND_TASK_STORE: text }, {}, HOME).task_store).toEqual(choice);
  });

  it('keeps tasks in the Postgres database by default', () => {
    const env = { ERRAND_DATABASE_URL: 'postgres://db/errand' };

    expect(readConfig(env, {}, HOME).task_store).toEqual({ kind: 'postgres', url: 'postgres://db/errand' });
    expect(readConfig({ ...env, ERRAND_TASK_STORE: 'postgres' }, {}, HOME).task_store).toMatchObject({
      kind: 'postgres',
    });
    expect(readConfig({ ...env, ERRAND_TASK_STORE: 'memory' }, {}, HOME).task_store).toEqual({ kind: 'memory' });
  });

  it('refuses a task store that it cannot use', () => {
    expect(lineOf({ ERRAND_TASK_STORE: 'postgres' })).toContain('only with ERRAND_DATABASE_URL=postgres://');
    expect(lineOf({ ERRAND_TASK_STORE: 'mysql' })).toBe(
      'ERRAND_TASK_STORE: got a value of another form, takes sqlite, postgres, redis://…, dynamodb:TABLE or memory.',
    );
  });

  it('refuses anonymous callers beyond loopback', () => {
    expect(lineOf({ ERRAND_ALLOW_ANONYMOUS: 'true', ERRAND_HOST: '0.0.0.0' })).toMatch(/^ERRAND_ALLOW_ANONYMOUS: /);
    expect(readConfig({ ERRAND_ALLOW_ANONYMOUS: 'true' }, {}, HOME).allow_anonymous).toBe(true);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
    ['127.0.0.1.evil.com', false],
  ])('knows whether %s is loopback', (host, loopback) => {
    expect(isLoopback(host)).toBe(loopback);
  });
});

describe('the settings of a reporter', () => {
  it('[R5.3, R5.4] have the defaults of the contract', () => {
    expect(readTaskManager({})).toEqual({
      use_mock: false,
      host: 'localhost',
      port: 8080,
      timeout_s: 30,
      token: null,
    });
  });

  it('[R5.4] come from the environment', () => {
    const env = {
      TASK_MANAGER_HOST: '[::1]',
      TASK_MANAGER_PORT: '9000',
      TASK_MANAGER_TIMEOUT: '0.5',
      TASK_MANAGER_TOKEN: 't',
    };

    expect(readTaskManager(env)).toMatchObject({ host: '::1', port: 9000, timeout_s: 0.5, token: 't' });
  });

  it.each(['true', 'True', 'TRUE'])('[R5.2] choose the client in memory by %s', (text) => {
    expect(readTaskManager({ USE_MOCK_CLIENT: text }).use_mock).toBe(true);
  });

  it.each(['false', 'False', ''])('[R5.3] choose the client over HTTP by "%s"', (text) => {
    expect(readTaskManager({ USE_MOCK_CLIENT: text }).use_mock).toBe(false);
  });

  it.each([
    [{ TASK_MANAGER_PORT: '0' }],
    [{ TASK_MANAGER_PORT: '65536' }],
    [{ TASK_MANAGER_TIMEOUT: '0' }],
    [{ TASK_MANAGER_TIMEOUT: '-1' }],
    [{ TASK_MANAGER_TIMEOUT: '601' }],
    [{ TASK_MANAGER_TIMEOUT: '.' }],
    [{ TASK_MANAGER_HOST: 'a/b' }],
    [{ TASK_MANAGER_HOST: 'user@host' }],
    [{ TASK_MANAGER_HOST: '-' }],
    [{ TASK_MANAGER_HOST: '..' }],
    [{ TASK_MANAGER_HOST: 'a..b' }],
    [{ TASK_MANAGER_HOST: '999.1.1.1' }],
    [{ TASK_MANAGER_HOST: ':::' }],
    [{ TASK_MANAGER_HOST: '[::1' }],
    [{ TASK_MANAGER_HOST: 'host:8080' }],
    [{ TASK_MANAGER_HOST: 'fe80::1%eth0' }],
    [{ USE_MOCK_CLIENT: 'yes' }],
  ])('refuse %j, which a server ignores', (env) => {
    const [variable = ''] = Object.keys(env);

    expect(() => readTaskManager(env)).toThrow(`${variable}: got `);
    expect(() => readConfig(env, {}, HOME)).not.toThrow();
  });

  it.each(['localhost', 'task_manager', 'tm.example.com.', '10.0.0.1', '::1', '::ffff:127.0.0.1'])(
    '[R5.4] take the host %s as it is',
    (host) => {
      expect(readTaskManager({ TASK_MANAGER_HOST: host }).host).toBe(host);
    },
  );

  it('never repeat what may hold a password', () => {
    expect(() => readTaskManager({ TASK_MANAGER_HOST: 'user:pass@host' })).toThrow(/^TASK_MANAGER_HOST: got a value/);
  });

  it('never repeat a token', () => {
    expect(() => readTaskManager({ TASK_MANAGER_TOKEN: 'two words' })).toThrow(/^TASK_MANAGER_TOKEN: got a value/);
  });

  it('say whether a Task Manager is set', () => {
    for (const variable of ['TASK_MANAGER_HOST', 'TASK_MANAGER_PORT', 'TASK_MANAGER_TOKEN']) {
      expect(namesTaskManager({ [variable]: '8080' })).toBe(true);
      expect(namesTaskManager({ [variable]: '' })).toBe(false);
    }
    expect(namesTaskManager({ USE_MOCK_CLIENT: 'true' })).toBe(true);
    expect(namesTaskManager({ USE_MOCK_CLIENT: 'false', TASK_MANAGER_TIMEOUT: '5' })).toBe(false);
  });

  it('name the run, the flag before the variable', () => {
    const env = { NOVA_EXECUTION_ID: 'of the environment' };

    expect(readExecutionId(env, { execution_id: 'of the flag' })).toBe('of the flag');
    expect(readExecutionId(env, {})).toBe('of the environment');
    expect(readExecutionId({}, {})).toBeNull();
    expect(() => readExecutionId({}, { execution_id: '' })).toThrow('--execution: got ""');
  });
});

describe('the server of a command', () => {
  const login = { url: 'https://stored.example.com', token: 'errand_user_stored' };
  const server = (env: Record<string, string>, flags = {}, stored: typeof login | null = login) =>
    readServer(env, flags, () => stored);

  it('[L-CLI] is none where data is typed, set or nothing is set', () => {
    const env = { ERRAND_URL: 'https://errand.example.com', ERRAND_TOKEN: 'errand_user_x' };

    expect(server(env, { data: '/data' })).toBeNull();
    expect(server(env, { database_url: 'sqlite:/x.db' })).toBeNull();
    expect(server({ ERRAND_DATA: '/data' })).toBeNull();
    expect(server({ ERRAND_DATABASE_URL: 'postgres://db/errand' })).toBeNull();
    expect(server({}, {}, null)).toBeNull();
  });

  it('[L-CLI] is the server of the environment, before that of the stored login', () => {
    const url = 'https://errand.example.com';

    expect(server({ ERRAND_URL: url, ERRAND_TOKEN: 'errand_user_x' })).toEqual({ url, token: 'errand_user_x' });
    expect(server({ ERRAND_URL: url, ERRAND_DATA: '/data' }, {}, null)).toEqual({ url, token: null });
    expect(server({})).toEqual(login);
    expect(server({ ERRAND_TOKEN: 'errand_user_x' })).toEqual({ ...login, token: 'errand_user_x' });
  });

  it('gets the stored token only at the stored address', () => {
    expect(server({ ERRAND_URL: login.url })).toEqual(login);
    expect(server({ ERRAND_URL: 'https://evil.example.com' })).toEqual({
      url: 'https://evil.example.com',
      token: null,
    });
  });

  it('takes an address without a path', () => {
    expect(readUrl('https://errand.example.com/')).toBe('https://errand.example.com');
    expect(() => readUrl('errand.example.com')).toThrow('--url: got "errand.example.com"');
    expect(() => readUrl('')).toThrow('takes an address');
  });
});
