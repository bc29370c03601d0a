import { say } from '#advice';
import { ErrandError } from '#errors';
import { type Calls, Refused } from './calls.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { type Login, removeLogin, writeLogin } from './login-file.ts';
import { tellFailure } from './run-tool.ts';

export interface LoginOptions {
  readonly url: string;
  /** Reads the token that the person gives. */
  readonly readToken: () => Promise<string>;
  /** Opens the tools of the server for this login. */
  readonly callsOf: (login: Login) => Calls;
  /** The file that keeps the login. */
  readonly path: string;
  readonly json: boolean;
  readonly print: (text: string) => void;
  readonly remark: (text: string) => void;
}

const TOKEN = /^errand_\S+$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const FORBIDDEN = 403;

function tokenIn(typed: string): string {
  const token = typed.trim();
  if (TOKEN.test(token)) return token;
  throw new ErrandError('validation_error', 'That is no token of Errand: one begins with errand_.', {
    hint: say`${{ command: 'token create' }} makes one, on the machine of the server.`,
  });
}

const isOpen = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
};

/** Makes one call, to see whether the token works. A token that may not read the board works as well. */
async function tryOut(calls: Calls): Promise<void> {
  try {
    await calls.ask('board', 'list_projects', { limit: 1 });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== FORBIDDEN) throw error;
  }
}

/** `errand login URL`: keeps the address and the token, after one call has shown that they work. */
export async function logIn({ url, path, json, ...options }: LoginOptions): Promise<number> {
  if (isOpen(url)) options.remark(`Others on the network can read what is sent to ${url}: use https:// if it has it.`);
  const login = { url, token: tokenIn(await options.readToken()) };
  try {
    await tryOut(options.callsOf(login));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tellFailure(error.error, json);
    return exitCodeOf(error.status);
  }
  writeLogin(path, login);
  options.print(
    json
      ? JSON.stringify({ url, path })
      : `Commands now work on ${url}. The token is in ${path}, which only you can read.\nBack to the data of this machine: errand logout`,
  );
  return EXIT.ok;
}

/** `errand logout`: removes the stored login. */
export function logOut(path: string, json: boolean, print: (text: string) => void): number {
  const was_logged_in = removeLogin(path);
  const words = was_logged_in
    ? 'You are logged out. The token itself still works: errand token revoke ends it.'
    : 'You were not logged in.';
  print(json ? JSON.stringify({ was_logged_in }) : words);
  return EXIT.ok;
}
