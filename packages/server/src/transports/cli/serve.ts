import { homedir } from 'node:os';
import type { Log } from '#observability/log';
import type { HttpServer } from '#transports/http';
import { ownAddresses } from '#transports/own-addresses';
import { firstScreen } from './first-screen.ts';
import { assertFree, listenNear, listenOn } from './listen.ts';
import { firstAdminUrl, signInUrl } from './open.ts';
import { findRunningServer, type RunningServer, removeRunningServer, writeRunningServer } from './running-server.ts';
import { stopSignal } from './stop-signal.ts';

/** A server that is ready to listen, with the functions that `serve` needs. */
export interface Served {
  readonly server: HttpServer;
  readonly log: Log;
  readonly is_new: boolean;
  /** SHA-256 of the `config.json` that it works with. */
  readonly config_digest: string;
  /** A key that signs one browser in, once; null when the owner of the machine is blocked. */
  readonly createSignInKey: () => Promise<string | null>;
  /** Whether others reach this server while nobody has a password: its first admin then gets a link of their own. */
  readonly needsFirstAdmin: () => Promise<boolean>;
  /** Records in a shared database that this server runs. Resolves with the function that removes the record. */
  readonly announce: (url: string) => Promise<() => Promise<void>>;
  /** Issues the first agent's token; null when a token exists. */
  readonly issueFirstToken: () => Promise<string | null>;
  /** The ready executors that the operator has configured. */
  readonly ownExecutors: () => Promise<readonly string[]>;
  /** Starts to run attempts. Their agents reach the server at this address. */
  readonly startRuns: (url: string) => Promise<void>;
  /** Starts no more runs, and ends the running ones. */
  readonly stopRuns: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ServeOptions {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  /** Whether the person asked for this port. */
  readonly is_port_given: boolean;
  /** The folder in which the server records that it runs. */
  readonly folder: string;
  /** The database that the server uses. */
  readonly database: string;
  /** Whether only one server at a time may use the database. */
  readonly is_exclusive: boolean;
  /** The place of the tasks, as shown to people. */
  readonly data: string;
  readonly open: () => Promise<Served>;
  /** Called when the address has been printed. Log lines wait until then, so that the address comes first. */
  readonly onAnnounced: () => void;
  /** The known agents on this machine; without the version when the client takes longer than this to report it. */
  readonly findClients: (patience_ms: number) => Promise<readonly string[]>;
}

const CLIENTS_PATIENCE_MS = 400;

/** The address at which this machine reaches the server. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

const homely = (path: string): string => (path.startsWith(`${homedir()}/`) ? path.replace(homedir(), '~') : path);

function announce(
  { url, others }: Pick<Listening, 'url' | 'others'>,
  pid: number,
  { data }: ServeOptions,
  { board_url, first_admin }: Links,
): void {
  const addresses = others.length === 0 ? {} : { addresses: others };
  const line = {
    board: board_url,
    ...(first_admin !== null && { first_admin }),
    mcp: `${url}/mcp`,
    api: `${url}/api/v1`,
    ...addresses,
    pid,
    data,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

interface Links {
  /** Signs the owner of the machine in. */
  readonly board_url: string;
  /** Lets the first admin choose a name and a password; null when there is one. */
  readonly first_admin: string | null;
}

async function linksOf(served: Served, { url, others }: Pick<Listening, 'url' | 'others'>): Promise<Links> {
  const key = await served.createSignInKey();
  const first = (await served.needsFirstAdmin()) ? await served.createSignInKey() : null;
  return {
    board_url: key === null ? `${url}/` : signInUrl(url, key),
    // They are likely to sit at another machine.
    first_admin: first === null ? null : firstAdminUrl(others[0] ?? url, first),
  };
}

interface Listening {
  /** The server's address for this machine. */
  readonly url: string;
  /** The server's addresses for other machines. */
  readonly others: readonly string[];
  readonly port: number;
}

async function present(served: Served, { url, others, port }: Listening, options: ServeOptions): Promise<void> {
  const taken_port = options.port === 0 || options.port === port ? null : options.port;
  const links = await linksOf(served, { url, others });
  if (links.board_url === `${url}/`)
    served.log.warn('the owner of this machine cannot sign in: errand open --user NAME makes a link');
  if (!process.stdout.isTTY) {
    announce({ url, others }, process.pid, options, links);
    if (taken_port !== null) served.log.warn(`port ${taken_port} is taken, so this is the next free one`, { url });
    return served.log.info('ready', { url });
  }

  const ready_ms = performance.now();
  const first_token = await served.issueFirstToken();
  const { version } = options;
  const data = homely(options.data);
  const screen = firstScreen(
    { version, ready_ms, url, others, ...links, data, is_new: served.is_new, first_token, taken_port },
    process.stdout.columns,
  );
  process.stdout.write(screen.at_once);
  const found = [...(await options.findClients(CLIENTS_PATIENCE_MS)), ...(await served.ownExecutors())];
  process.stdout.write(screen.rest(found));
}

/** The message that the typed port is not used, because a server runs on another; null when none was typed. */
export function unusedPort(
  running: RunningServer,
  { is_port_given, port }: Pick<ServeOptions, 'is_port_given' | 'port'>,
) {
  const isUsed = port === 0 || port === Number(new URL(running.url).port);
  if (!is_port_given || isUsed) return null;
  return `Port ${port} is not used: one server at a time serves this data, and it listens at ${running.url}. To move it, stop it first.`;
}

function presentRunning(running: RunningServer, options: ServeOptions): void {
  const { url, pid } = running;
  const unused = unusedPort(running, options);
  if (process.stdout.isTTY)
    process.stdout.write(
      `Errand runs already on this data: ${url} (process ${pid}). For a link to sign in: errand open\n`,
    );
  else {
    announce({ url, others: [] }, pid, options, { board_url: `${url}/`, first_admin: null });
    process.stderr.write(
      `Errand runs already on this data, so no second server was started: ${url} (process ${pid}).\n`,
    );
  }
  if (unused !== null) process.stderr.write(`${unused}\n`);
}

/** Runs the server until a stop signal. */
export async function serve(options: ServeOptions): Promise<void> {
  const { folder, database, host } = options;
  const running = options.is_exclusive ? await findRunningServer(folder, database) : null;
  if (running !== null) return presentRunning(running, options);

  await assertFree(host, options.is_port_given ? options.port : 0);
  const served = await options.open();
  let retract = async (): Promise<void> => undefined;
  try {
    const { port } = await (options.is_port_given ? listenOn : listenNear)(served.server, host, options.port);
    const url = urlOf(host, port);
    const others = ownAddresses(host).map((address) => `http://${address}:${port}`);
    const stopped = stopSignal();
    writeRunningServer(folder, database, { pid: process.pid, url, config: served.config_digest });
    retract = await served.announce(others[0] ?? url);
    await served.startRuns(url);
    await present(served, { url, others, port }, options);
    options.onAnnounced();

    await stopped;
    served.log.info('stopping');
    await Promise.all([served.stopRuns(), served.server.drain(), retract()]);
  } catch (error) {
    // A listening server or a polling worker would keep the process alive.
    await Promise.all([served.stopRuns(), served.server.drain(0), retract()]);
    throw error;
  } finally {
    removeRunningServer(folder, database);
    await served.close();
    served.log.flush();
  }
}
