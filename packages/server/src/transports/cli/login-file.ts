import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { ErrandError } from '#errors';
import { isObject } from '#transports/json';

/** The server that commands call, and the token that they send. */
export interface Login {
  readonly url: string;
  readonly token: string;
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const FOR_OTHERS = 0o077;

/** The path of the file that keeps the login, by the rules of the XDG base directories. */
export function loginPath({ env: { XDG_CONFIG_HOME: set = '' }, home }: Machine): string {
  return join(isAbsolute(set) ? set : join(home, '.config'), 'errand', 'login.json');
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const fault = (message: string): ErrandError => new ErrandError('validation_error', message);

/** Refuses a file that others can read or that is another user's: the token in it would not be a secret. */
function mustBePrivate(path: string): void {
  const user = process.getuid?.();
  // Systems without user ids have no such modes either.
  if (user === undefined) return;
  const { uid, mode } = statSync(path);
  if (uid !== user) throw fault(`${path} belongs to another user. Remove it, and log in again.`);
  if ((mode & FOR_OTHERS) !== 0) throw fault(`${path} can be read by other users. Run: chmod 600 '${path}'`);
}

function parsed(path: string, text: string): Login {
  try {
    const login: unknown = JSON.parse(text);
    if (isObject(login) && typeof login.url === 'string' && typeof login.token === 'string') {
      return { url: login.url, token: login.token };
    }
  } catch {
    // The words of the parser would quote the token.
  }
  throw fault(`${path} holds no login. Remove it with errand logout, and log in again.`);
}

/** The stored login; null when there is none. */
export function readLogin(path: string): Login | null {
  try {
    mustBePrivate(path);
    return parsed(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Replaces the stored login. The file is complete and private from its first moment on. */
export function writeLogin(path: string, login: Login): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const unfinished = `${path}.${process.pid}`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, path);
}

/** Removes the stored login. Returns whether there was one. */
export function removeLogin(path: string): boolean {
  try {
    statSync(path);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  rmSync(path, { force: true });
  return true;
}
