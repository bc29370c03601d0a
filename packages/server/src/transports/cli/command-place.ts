import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '#transports/json';

/** Where the server of a data folder listens for the commands of the person who started it. */
export interface CommandPlace {
  /** Only its owner can look into it. Agents cannot: it lies in the data folder, which is hidden from them. */
  readonly folder: string;
  readonly socket: string;
  readonly record: string;
}

/** What a server tells the commands of its owner. */
export interface CommandRecord {
  readonly version: string;
  readonly secret: string;
}

/** The longest path that every system takes for a socket. */
const MAX_SOCKET_BYTES = 103;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const FOR_OTHERS = 0o077;

/** The place beside the database of a data folder. Commands on other databases open them themselves. */
export function commandPlace(data: string): CommandPlace {
  const folder = join(data, 'commands');
  return { folder, socket: join(folder, 'socket'), record: join(folder, 'server.json') };
}

/** Whether a socket can be made there: Windows has no owners of sockets, and every system limits the length of the path. */
export const hasSockets = ({ socket }: CommandPlace): boolean =>
  process.getuid !== undefined && Buffer.byteLength(socket) <= MAX_SOCKET_BYTES;

/** Whether this is our own folder, which nobody else can look into; a link to another one is not. */
function isPrivate(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & FOR_OTHERS) === 0;
}

/** Makes the private folder. False when it is not ours alone. */
export function preparePlace({ folder }: CommandPlace): boolean {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const found = lstatSync(folder);
  // A copy of the data may have opened the folder of an earlier server to others.
  if (found.isDirectory() && found.uid === process.getuid?.()) chmodSync(folder, PRIVATE_FOLDER);
  return isPrivate(folder);
}

export function writeRecord({ record }: CommandPlace, what: CommandRecord): void {
  const next = `${record}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, JSON.stringify(what), { mode: PRIVATE_FILE, flag: 'wx' });
  renameSync(next, record);
}

/** Reads what a server left there; null when there is nothing, or when others could have written it. */
export function readRecord(place: CommandPlace): CommandRecord | null {
  try {
    if (!hasSockets(place) || !isPrivate(place.folder)) return null;
    const found: unknown = JSON.parse(readFileSync(place.record, 'utf8'));
    if (!isObject(found) || typeof found.version !== 'string' || typeof found.secret !== 'string') return null;
    return { version: found.version, secret: found.secret };
  } catch {
    return null;
  }
}

/** Removes what this server left there, unless another one has replaced it meanwhile. */
export function removeRecord(place: CommandPlace, secret: string): void {
  if (readRecord(place)?.secret === secret) rmSync(place.record, { force: true });
}
