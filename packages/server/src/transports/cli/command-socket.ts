import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { type CommandPlace, hasSockets, preparePlace, removeRecord, writeRecord } from './command-place.ts';
import type { TypedNeeds } from './run-typed.ts';
import { HELLO, LINES, NOT_HERE, type Piece, RUNS, type TypedLine, typedLineIn } from './typed-line.ts';

export interface CommandSocketNeeds extends TypedNeeds {
  readonly place: CommandPlace;
  /** Gets the reason why there is no socket, or why a command could not run: commands then open the data themselves. */
  readonly report: (error: unknown) => void;
}

/** At most this many commands at once: enough for one person with scripts. */
const MAX_CONNECTIONS = 64;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_HEADER_BYTES = 4_096;
const REQUEST_MS = 30_000;
const DRAIN_MS = 10_000;

/** Compares hashes of both: the time that this takes tells nothing about the secret. */
const isSame = (given: string, secret: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));

async function readLine(req: IncomingMessage): Promise<TypedLine | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Safe: a stream without an encoding yields bytes.
  for await (const chunk of req as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_LINE_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    return typedLineIn(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    return null;
  }
}

/** Runs a command line, and sends what it prints piece by piece. */
async function answerLine(line: TypedLine, res: ServerResponse, needs: CommandSocketNeeds): Promise<void> {
  // Loaded with the first command: a server starts without it.
  const { runTyped } = await import('./run-typed.ts');
  const gone = new AbortController();
  const left = new Promise<void>((resolve) => {
    res.once('close', () => {
      gone.abort();
      resolve();
    });
  });
  // A command that was ended meanwhile must not be run any more.
  if (res.destroyed) return;
  const drained = (): Promise<void> => new Promise((resolve) => res.once('drain', resolve));
  const send = (...piece: Piece): Promise<void> => {
    if (!res.headersSent) res.writeHead(RUNS, { 'content-type': 'application/x-ndjson' });
    return res.write(`${JSON.stringify(piece)}\n`) ? Promise.resolve() : Promise.race([drained(), left]);
  };
  const screen = {
    ...line.terminal,
    out: (text: string) => send(1, text),
    err: (text: string): void => void send(2, text),
  };
  const code = await runTyped(line, { screen, gone: gone.signal }, needs);
  if (code === null) return end(res, NOT_HERE);
  void send(0, code);
  res.end();
}

function end(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-length': 0 });
  res.end();
}

const createAnswer =
  (needs: CommandSocketNeeds, secret: string) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const [, given = ''] = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '') ?? [];
    if (!isSame(given, secret)) return end(res, 401);
    if (req.method !== 'POST') return end(res, 405);
    if (req.url === HELLO) return end(res, RUNS);
    const line = req.url === LINES ? await readLine(req) : null;
    if (line === null) return end(res, NOT_HERE);
    await answerLine(line, res, needs);
  };

/** Whether a server listens at a socket: the file of one that was killed is still there. */
async function isInUse(socket: string): Promise<boolean> {
  const probe = connect(socket);
  try {
    await once(probe, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    probe.destroy();
  }
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
  await closed;
  clearTimeout(limit);
}

async function open(needs: CommandSocketNeeds): Promise<(() => Promise<void>) | null> {
  const { place, version, report } = needs;
  if (!hasSockets(place) || !preparePlace(place)) return null;
  // Another server on the same database has it already.
  if (await isInUse(place.socket)) return null;
  rmSync(place.socket, { force: true });

  const secret = randomBytes(32).toString('base64url');
  const answer = createAnswer(needs, secret);
  const options = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, maxHeaderSize: MAX_HEADER_BYTES };
  const server = createServer(options, (req, res) => {
    answer(req, res).catch((error: unknown) => {
      report(error);
      // The command learns that it was cut off: it may have been done.
      res.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await once(server.listen(place.socket), 'listening');
  chmodSync(place.socket, 0o600);
  writeRecord(place, { version, secret });
  return async () => {
    removeRecord(place, secret);
    await close(server);
  };
}

/**
 * Runs the commands that the owner of this process types elsewhere, so that they need not load the program and open the
 * database. Resolves with the function that stops it.
 */
export async function openCommandSocket(needs: CommandSocketNeeds): Promise<() => Promise<void>> {
  const nothing = async (): Promise<void> => undefined;
  try {
    return (await open(needs)) ?? nothing;
  } catch (error) {
    needs.report(error);
    return nothing;
  }
}
