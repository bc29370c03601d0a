import { homedir, hostname, platform } from 'node:os';
import { dirname } from 'node:path';
import { say } from '#advice';
import {
  type Config,
  databaseName,
  type Flags,
  namesTaskManager,
  readConfig,
  readExecutionId,
  readLogLevel,
  readServer,
  readTaskManager,
  readUrl,
  type ServerAccess,
} from '#config';
import { environment } from '#environment';
import { ErrandError } from '#errors';
import { createLog, type Log, type LogLevel } from '#observability/log';
import { catalog, type Tool } from '#tools/catalog';
import type { Calls } from '#transports/cli/calls';
import { drained } from '#transports/cli/drained';
import { EXIT } from '#transports/cli/exit-code';
import { localCalls } from '#transports/cli/local-calls';
import { loginPath, readLogin } from '#transports/cli/login-file';
import type { EarlyStart } from '#transports/cli/own-streams';
import { type Actions, createProgram, runProgram, withDefault } from '#transports/cli/program';
import { callerOf, runTool, tellThrown } from '#transports/cli/run-tool';
import { findRunningServer, firstHealthy, reachable } from '#transports/cli/running-server';
import { type StepFlags, splitCommand, stepOrderOf } from '#transports/cli/step-command';
import type { Destination } from '#transports/cli/step-within';
import type { CommonFlags } from '#transports/cli/tool-command';
import type { Surroundings } from '#transports/mcp/client-facts';
import type { Errand } from './compose.ts';
import type { Access } from './compose-command.ts';
import { VERSION as version } from './version.ts';

const PORT = 8080;
const TODO_PORT = 8001;
const PATIENCE_MS = 1_000;
let exitCode = 0;

const configOf = ({ data, databaseUrl }: CommonFlags, more: Flags = {}): Config =>
  readConfig(environment(), { data, database_url: databaseUrl, ...more });

const logOf = ({ log_level }: Pick<Config, 'log_level'>, otherwise: LogLevel, fd: 1 | 2): Log =>
  createLog({ level: log_level ?? otherwise, fd });

/** The log of the server. On a terminal a line for each call would scroll the sign-in link away. */
function serverLog({ log_level }: Config, after: Promise<void>): Log {
  const is_short = process.stdout.isTTY === true;
  return createLog({ level: log_level ?? (is_short ? 'warn' : 'info'), fd: 1, after, is_short });
}

/** The folder in which a server records that it runs. */
const folderOf = ({ database, data }: Config): string => (database.kind === 'sqlite' ? dirname(database.path) : data);

/** Prints on stderr, so that it does not mix with the answer. */
const notice = (line: string): void => {
  process.stderr.write(`${argv.includes('--json') ? JSON.stringify({ notice: line }) : line}\n`);
};

/** Opens Errand, does one piece of work and closes it. */
async function withErrand<Result>(
  config: Config,
  log: Log,
  work: (errand: Errand) => Promise<Result>,
  access: Access = 'write',
): Promise<Result> {
  const { openForCommand } = await import('./compose-command.ts');
  const isServed = async () => (await findRunningServer(folderOf(config), databaseName(config.database))) !== null;
  const errand = await openForCommand({ access, config, log, isServed, notice });
  try {
    return await work(errand);
  } finally {
    await errand.close();
    log.flush();
  }
}

const ownLoginPath = (): string => loginPath(machine());

/** The server that a command calls; null when it opens the data of this machine. */
const serverOf = ({ data, databaseUrl }: CommonFlags): ServerAccess | null =>
  readServer(environment(), { data, database_url: databaseUrl }, () => readLogin(ownLoginPath()));

/** Opens the tools of a server elsewhere. */
async function openRemote(server: ServerAccess): Promise<Calls> {
  const [{ createRemoteTools }, { remoteCalls }] = await Promise.all([
    import('#clients/remote-tools'),
    import('#transports/cli/remote-calls'),
  ]);
  return remoteCalls(createRemoteTools(server), version);
}

/** Does the work of a command with the tools of a server elsewhere, or with those of the data of this machine. */
async function withCalls(
  flags: CommonFlags,
  work: (calls: Calls) => Promise<number>,
  access: Access = 'write',
): Promise<void> {
  const server = serverOf(flags);
  if (server !== null) {
    exitCode = await work(await openRemote(server));
    return;
  }
  const config = configOf(flags);
  const run = async ({ gateway }: Errand): Promise<void> => {
    exitCode = await work(localCalls(gateway, await callerOf(gateway, config.token)));
  };
  await withErrand(config, logOf(config, 'error', 2), run, access);
}

/** What the command of a tool does to the data: only one that adds something makes data where there is none. */
const accessOf = ({ effect }: Pick<Tool, 'effect'>): Access =>
  effect === 'read' ? 'read' : effect === 'create' ? 'write' : 'change';

/** The log of commands that open no database. */
const ownLog = (otherwise: LogLevel): Log => logOf({ log_level: readLogLevel(environment()) }, otherwise, 2);

/** Sends the steps of scripts to a Task Manager elsewhere. */
async function sendElsewhere(): Promise<Destination['send']> {
  const access = readTaskManager(environment());
  const { reportSteps } = await import('./compose-reporter.ts');
  return reportSteps(access, ownLog('error'));
}

/** Sends the steps of scripts to the store, which is not held open while their command runs. */
const sendHere =
  (config: Config): Destination['send'] =>
  (tool, input) => {
    const work = async ({ gateway }: Errand) => {
      const caller = await callerOf(gateway, config.token);
      return gateway.dispatch({ caller, tool, input, transport: 'cli', client_facts: { source: 'script' } });
    };
    return withErrand(config, logOf(config, 'error', 2), work, 'change');
  };

/** Returns where the steps of scripts go, and for which run. Throws when a setting is wrong. */
async function destinationOf(flags: StepFlags): Promise<Destination> {
  const env = environment();
  const execution_id = readExecutionId(env, { execution_id: flags.execution });
  if (execution_id === null) {
    throw new ErrandError('validation_error', 'No run to report to: give --execution, or set NOVA_EXECUTION_ID.');
  }
  const isHere = flags.data !== undefined || flags.databaseUrl !== undefined || !namesTaskManager(env);
  return { execution_id, send: isHere ? sendHere(configOf(flags)) : await sendElsewhere() };
}

/** Exits at once: a Task Manager that hangs would keep the process alive until its timeout. */
async function leave(code: number): Promise<never> {
  await drained(process.stdout, PATIENCE_MS);
  process.exit(code);
}

async function serveReports(surroundings: Surroundings, early: EarlyStart | null): Promise<void> {
  const access = readTaskManager(environment());
  const log = ownLog('info');
  const { serveReporter } = await import('./compose-reporter.ts');
  await serveReporter({ access, surroundings, version, log, early });
  log.flush();
  // The early output holds answers of its own while the client reads slowly.
  if (early !== null) await drained(early.output, PATIENCE_MS);
  await leave(EXIT.ok);
}

/** The machine that holds the configuration of the person's clients. */
function machine() {
  const env = environment();
  return { env, home: env.HOME || homedir(), platform: platform() };
}

/** The command line that starts this program. */
const ownArgv = (): readonly string[] => [process.execPath, ...process.execArgv, process.argv[1] ?? ''];

const actionsWith = (early: EarlyStart | null): Actions => ({
  serve: async ({ host, port, profile, ...flags }) => {
    const config = configOf(flags, { host, port });
    const { database } = config;
    const announced = Promise.withResolvers<void>();
    const [{ serve }, { findClients, nameAndVersion }] = await Promise.all([
      import('#transports/cli/serve'),
      import('#transports/cli/find-clients'),
    ]);
    await serve({
      version,
      host: config.host,
      port: config.port ?? (profile === 'todo' ? TODO_PORT : PORT),
      is_port_given: config.port !== null,
      folder: folderOf(config),
      database: databaseName(config.database),
      is_exclusive: database.kind === 'sqlite',
      data: database.kind === 'sqlite' ? database.path : 'Postgres',
      findClients: async (patience_ms) => (await findClients(machine(), patience_ms)).map(nameAndVersion),
      open: async () => {
        const { openServed } = await import('./compose-http.ts');
        const log = serverLog(config, announced.promise);
        const opening = openServed(config, { profile, version, errand_argv: ownArgv(), log });
        return opening.catch((error: unknown) => {
          log.flush();
          throw error;
        });
      },
      onAnnounced: announced.resolve,
    });
  },

  mcp: async ({ profile, ...flags }) => {
    const { surroundingsOf } = await import('#transports/cli/surroundings');
    const surroundings = surroundingsOf({ env: environment(), cwd: process.cwd });
    if (profile === 'executions') return await serveReports(surroundings, early);
    const config = configOf(flags);
    const log = logOf(config, 'info', 2);
    const { serveMcp } = await import('./compose-stdio.ts');
    await withErrand(config, log, (errand) =>
      serveMcp(errand, {
        config,
        profile,
        version,
        token: config.token,
        execution_id: readExecutionId(environment(), {}),
        surroundings,
        log,
        early,
      }),
    );
  },

  worker: async ({ url, ...flags }) => {
    const config = configOf(flags, { url });
    const running = await findRunningServer(folderOf(config), databaseName(config.database));
    const address = config.url ?? running?.url ?? `http://127.0.0.1:${PORT}`;
    const log = logOf(config, 'info', 1);
    const { readWorkerConfig, serveWorker } = await import('./compose-worker.ts');
    // Before anything is open: with an invalid file the worker must not start.
    const runs = readWorkerConfig(config.data);
    await withErrand(config, log, (errand) =>
      serveWorker(errand, { config, runs, url: address, errand_argv: ownArgv(), log }),
    );
  },

  board: async (work, flags, access) => {
    const { runBoard } = await import('#transports/cli/board/run-board');
    await withCalls(flags, (calls) => runBoard(calls, flags.json === true, work), access);
  },

  step: async (words, flags) => {
    const order = stepOrderOf(words, command, flags);
    const { runStep } = await import('#transports/cli/step');
    await leave(await runStep({ order, open: () => destinationOf(flags), json: flags.json === true }));
  },

  open: async ({ user, json = false, ...flags }) => {
    const { openBoard } = await import('#transports/cli/open');
    const print = (text: string) => process.stdout.write(`${text}\n`);
    const server = serverOf(flags);
    if (server !== null) {
      exitCode = await openBoard({ calls: await openRemote(server), url: server.url, user, json, print });
      return;
    }
    const config = configOf(flags);
    const running = await findRunningServer(folderOf(config), databaseName(config.database));
    await withErrand(
      config,
      logOf(config, 'error', 2),
      async ({ gateway, servers }) => {
        const url = running?.url ?? (await firstHealthy(reachable(await servers.live(), hostname())));
        if (url === null) {
          throw new ErrandError('server_not_running', `No server runs on ${databaseName(config.database)}.`, {
            hint: say`Start one with ${{ command: 'serve' }}: it prints a link as well.`,
          });
        }
        const calls = localCalls(gateway, await callerOf(gateway, config.token));
        exitCode = await openBoard({ calls, url, user, json, print });
      },
      'change',
    );
  },

  connect: async (name, { url, project, projectFile = false, json = false, ...flags }) => {
    const io = { json, print: (text: string) => process.stdout.write(`${text}\n`) };
    if (name === undefined) {
      const { listClients, mustNameClient } = await import('#transports/cli/connect/list-clients');
      mustNameClient({ ...flags, url, project, projectFile });
      exitCode = await listClients({ ...io, machine: machine() });
      return;
    }
    const { clientNamed, connect, modeOf, serverAddress } = await import('#transports/cli/connect/connect');
    const client = clientNamed(name);
    const mode = modeOf(client, { ...flags, projectFile });
    const given = url === undefined ? undefined : serverAddress(url);
    const options = {
      ...io,
      client,
      mode,
      projects: project ?? null,
      machine: hostname().split('.', 1)[0] || 'this machine',
      place: { ...machine(), project_folder: projectFile ? process.cwd() : null },
    };
    const server = serverOf(flags);
    if (server !== null) {
      exitCode = await connect({
        ...options,
        calls: await openRemote(server),
        owner_id: null,
        url: given ?? server.url,
      });
      return;
    }
    const config = configOf(flags);
    const running = await findRunningServer(folderOf(config), databaseName(config.database));
    const access = mode === 'apply' || mode === 'print' ? 'write' : 'change';
    const work = async ({ gateway, installation: { owner_id } }: Errand): Promise<void> => {
      const calls = localCalls(gateway, await callerOf(gateway, config.token));
      exitCode = await connect({
        ...options,
        calls,
        owner_id,
        url: given ?? running?.url ?? `http://127.0.0.1:${PORT}`,
      });
    };
    await withErrand(config, logOf(config, 'error', 2), work, access);
  },

  login: async (url, { tokenStdin = false, json = false }) => {
    const [{ logIn }, { readToken }, { createRemoteTools }, { remoteCalls }] = await Promise.all([
      import('#transports/cli/login'),
      import('#transports/cli/read-token'),
      import('#clients/remote-tools'),
      import('#transports/cli/remote-calls'),
    ]);
    exitCode = await logIn({
      url: readUrl(url),
      readToken: () => readToken(tokenStdin),
      callsOf: (login) => remoteCalls(createRemoteTools(login), version),
      path: ownLoginPath(),
      json,
      print: (text) => process.stdout.write(`${text}\n`),
      remark: notice,
    });
  },

  logout: async ({ json = false }) => {
    const { logOut } = await import('#transports/cli/login');
    exitCode = logOut(ownLoginPath(), json, (text) => process.stdout.write(`${text}\n`));
  },

  migrate: async (flags) => {
    const config = configOf(flags);
    const { schemaLine } = await import('./compose-health.ts');
    const tell = async ({ schema }: Errand): Promise<void> => {
      const status = schema.is_new ? 'created' : schema.applied.length > 0 ? 'upgraded' : 'current';
      const words = schemaLine(config.database, schema) ?? 'The database is up to date: nothing was changed.';
      process.stdout.write(`${flags.json ? JSON.stringify({ status, applied: schema.applied }) : words}\n`);
    };
    await withErrand(config, logOf(config, 'error', 2), tell, 'own');
  },

  doctor: async (flags) => {
    const { runDoctor } = await import('./compose-doctor.ts');
    const server = serverOf(flags);
    const place = server === null ? configOf(flags) : { calls: await openRemote(server), url: server.url };
    exitCode = await runDoctor(place, { machine: machine(), port: PORT, json: flags.json === true });
  },

  runTool: async (tool, input, flags) => {
    const run = (calls: Calls) => runTool({ calls, tool, input, json: flags.json === true });
    await withCalls(flags, run, accessOf(tool));
  },
});

const [argv, command] = splitCommand(withDefault(process.argv.slice(2)));
// The commands of tools are built from their schemas, which these commands do not need.
const tools = ['serve', 'mcp', 'worker', 'step'].includes(argv[0] ?? '') ? [] : catalog;

// The reader of stdout may stop reading, like `head`: that needs no stack trace. `errand mcp` handles it itself.
if (argv[0] !== 'mcp') process.stdout.on('error', () => process.exit(EXIT.failed));

/** Runs the command of this process. `early` has already answered the first requests of an MCP client. */
export async function runCommandLine(early: EarlyStart | null): Promise<void> {
  try {
    process.exitCode = (await runProgram(createProgram(tools, version, actionsWith(early), argv), argv)) || exitCode;
  } catch (error) {
    process.exitCode = tellThrown(error, argv.includes('--json'));
  }
}
