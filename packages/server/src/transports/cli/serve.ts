import { homedir } from 'node:os';
import type { Log } from '#observability/log';
import type { HttpServer } from '#transports/http';
import { ownAddresses } from '#transports/own-addresses';
import { firstScreen } from './first-screen.ts';
import { findInstance, type Instance, removeInstance, writeInstance } from './instance.ts';
import { listenNear, listenOn } from './listen.ts';
import { signInUrl } from './open.ts';
import { stopSignal } from './stop-signal.ts';

/** A server that is ready to listen, and what belongs to it. */
export interface Served {
  readonly server: HttpServer;
  readonly log: Log;
  readonly is_new: boolean;
  /** A key that signs one browser in, once; null when the owner of the machine is blocked. */
  readonly createSignInKey: () => Promise<string | null>;
  /** Says in the database that this server runs, where several machines share it; resolves to the way to stop. */
  readonly announce: (url: string) => Promise<() => Promise<void>>;
  /** The first agent's token, when there is none yet. */
  readonly issueFirstToken: () => Promise<string | null>;
  /** Begins to run attempts, whose agents reach the server at this address. */
  readonly startRuns: (url: string) => Promise<void>;
  /** Takes no more of them, and ends those that run. */
  readonly stopRuns: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ServeOptions {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  /** Whether somebody asked for this very port. */
  readonly is_port_given: boolean;
  /** Where the server writes down that it runs. */
  readonly folder: string;
  /** Which database it serves. */
  readonly database: string;
  /** Whether one server at a time is enough for the database; several may share one elsewhere. */
  readonly is_exclusive: boolean;
  /** Where the tasks are, for people. */
  readonly data: string;
  readonly open: () => Promise<Served>;
  /** Called when the address has been printed. The log holds its lines until then, so that it is printed first. */
  readonly onAnnounced: () => void;
  /** The known agents on this machine, by name alone where a version takes longer than this to tell. */
  readonly findClients: (patience_ms: number) => Promise<readonly string[]>;
}

const CLIENTS_PATIENCE_MS = 400;

/** How one reaches a server that listens on this address from this machine. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

const homely = (path: string): string => (path.startsWith(`${homedir()}/`) ? path.replace(homedir(), '~') : path);

function announce(
  { url, others }: Pick<Listening, 'url' | 'others'>,
  pid: number,
  { data }: ServeOptions,
  board_url: string,
): void {
  const addresses = others.length === 0 ? {} : { addresses: others };
  const line = { board: board_url, mcp: `${url}/mcp`, api: `${url}/api/v1`, ...addresses, pid, data };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

interface Listening {
  /** How this machine reaches the server. */
  readonly url: string;
  /** How other machines do. */
  readonly others: readonly string[];
  readonly port: number;
}

async function present(served: Served, { url, others, port }: Listening, options: ServeOptions): Promise<void> {
  const taken_port = options.port === 0 || options.port === port ? null : options.port;
  const key = await served.createSignInKey();
  const board_url = key === null ? `${url}/` : signInUrl(url, key);
  if (key === null) served.log.warn('the owner of this machine cannot sign in: errand open --user NAME makes a link');
  if (!process.stdout.isTTY) {
    announce({ url, others }, process.pid, options, board_url);
    if (taken_port !== null) served.log.warn(`port ${taken_port} is taken, so this is the next free one`, { url });
    return served.log.info('ready', { url });
  }

  const ready_ms = performance.now();
  const found = await options.findClients(CLIENTS_PATIENCE_MS);
  const first_token = await served.issueFirstToken();
  const { version } = options;
  const data = homely(options.data);
  process.stdout.write(
    firstScreen({
      version,
      ready_ms,
      url,
      others,
      board_url,
      data,
      is_new: served.is_new,
      found,
      first_token,
      taken_port,
    }),
  );
}

/** That the port that was asked for is not used, since a server runs on another; null when none was asked for. */
export function unusedPort(running: Instance, { is_port_given, port }: Pick<ServeOptions, 'is_port_given' | 'port'>) {
  const isUsed = port === 0 || port === Number(new URL(running.url).port);
  if (!is_port_given || isUsed) return null;
  return `Port ${port} is not used: one server at a time serves this data, and it listens at ${running.url}. To move it, stop it first.`;
}

function presentRunning(running: Instance, options: ServeOptions): void {
  const { url, pid } = running;
  const unused = unusedPort(running, options);
  if (process.stdout.isTTY)
    process.stdout.write(
      `Errand runs already on this data: ${url} (process ${pid}). For a link to sign in: errand open\n`,
    );
  else announce({ url, others: [] }, pid, options, `${url}/`);
  if (unused !== null) process.stderr.write(`${unused}\n`);
}

/** Runs the server until it is told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const { folder, database, host } = options;
  const running = options.is_exclusive ? await findInstance(folder, database) : null;
  if (running !== null) return presentRunning(running, options);

  const served = await options.open();
  let retract = async (): Promise<void> => undefined;
  try {
    const { port } = await (options.is_port_given ? listenOn : listenNear)(served.server, host, options.port);
    const url = urlOf(host, port);
    const others = ownAddresses(host).map((address) => `http://${address}:${port}`);
    const stopped = stopSignal();
    writeInstance(folder, database, { pid: process.pid, url });
    retract = await served.announce(others[0] ?? url);
    await served.startRuns(url);
    await present(served, { url, others, port }, options);
    options.onAnnounced();

    await stopped;
    served.log.info('stopping');
    await Promise.all([served.stopRuns(), served.server.drain(), retract()]);
  } catch (error) {
    // A server that listens, or a worker that looks for runs, would keep the process alive.
    await Promise.all([served.stopRuns(), served.server.drain(0), retract()]);
    throw error;
  } finally {
    removeInstance(folder, database);
    await served.close();
    served.log.flush();
  }
}
