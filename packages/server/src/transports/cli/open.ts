import type { Gateway } from '#gateway/gateway';
import { askTool } from '#transports/ask-tool';
import { type Calls, Refused } from './calls.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { tellFailure } from './run-tool.ts';

export interface OpenOptions {
  readonly calls: Calls;
  /** The address of the server. */
  readonly url: string;
  /** The user whom the link signs in, by name or id; by default the caller. */
  readonly user: string | undefined;
  readonly json: boolean;
  readonly print: (text: string) => void;
}

/** The link that signs one browser in. */
export const signInUrl = (url: string, key: string): string => `${url}/?key=${key}`;

/** The link with which the first admin of a server chooses a name and a password. */
export const firstAdminUrl = (url: string, key: string): string => `${url}/signin?first=${key}`;

/** Creates a key that signs one browser in as the owner of the machine; null when the owner may not sign in. */
export async function createSignInKey(gateway: Gateway): Promise<string | null> {
  const caller = await gateway.local();
  const made = await askTool(gateway, {
    profile: 'admin',
    name: 'create_sign_in',
    caller,
    input: {},
    transport: 'cli',
  });
  return made.ok ? made.value.key : null;
}

/** `errand open`: prints a link that signs one browser in. Resolves with the exit code. */
export async function openBoard({ calls, url, user, json, print }: OpenOptions): Promise<number> {
  try {
    const input = user === undefined ? {} : { user_id: user };
    const { key, expires_at } = await calls.ask('admin', 'create_sign_in', input, json ? 'json' : 'command');
    const link = signInUrl(url, key);
    // Printed, not opened: everyone on the machine can see the arguments of the program that would open it.
    print(
      json
        ? JSON.stringify({ url: link })
        : `${link}\nOpens once, until ${expires_at}; then a cookie keeps the browser signed in.`,
    );
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tellFailure(error.error, json);
    return exitCodeOf(error.status);
  }
}
