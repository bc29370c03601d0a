import { say } from '#advice';
import { ErrandError } from '#errors';
import type { Call, Gateway } from '#gateway/gateway';
import { type Asked, askTool } from '#transports/ask-tool';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { tellFailure } from './run-tool.ts';

type Failed = Extract<Asked<never>, { readonly ok: false }>;
type Caller = Call['caller'];

export interface OpenOptions {
  readonly gateway: Gateway;
  readonly caller: Caller;
  /** The address of the server. */
  readonly url: string;
  /** The user whom the link signs in, by name or id; by default the caller. */
  readonly user: string | undefined;
  readonly json: boolean;
  readonly print: (text: string) => void;
}

const PAGE = 200;

/** The link that signs one browser in. */
export const signInUrl = (url: string, key: string): string => `${url}/?key=${key}`;

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

/** Returns the id of the one user with this id or name. */
async function findUser(gateway: Gateway, caller: Caller, wanted: string): Promise<string | Failed> {
  const named: string[] = [];
  let cursor: string | undefined;
  do {
    const input = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page = await askTool(gateway, { profile: 'admin', name: 'list_users', caller, input, transport: 'cli' });
    if (!page.ok) return page;
    if (page.value.users.some(({ user_id }) => user_id === wanted)) return wanted;
    named.push(...page.value.users.filter(({ name }) => name === wanted).map(({ user_id }) => user_id));
    cursor = page.value.next_cursor;
  } while (cursor !== undefined);
  const [id] = named;
  if (id !== undefined && named.length === 1) return id;
  if (id === undefined) {
    throw new ErrandError('not_found', `No user is called ${wanted}.`, {
      hint: say`${{ command: 'user list' }} shows all of them.`,
    });
  }
  throw new ErrandError('validation_error', `${named.length} users are called ${wanted}.`, {
    hint: `Give the id of one of them: ${named.join(', ')}.`,
  });
}

/** `errand open`: prints a link that signs one browser in. Resolves with the exit code. */
export async function openBoard({ gateway, caller, url, user, json, print }: OpenOptions): Promise<number> {
  const user_id = user === undefined ? undefined : await findUser(gateway, caller, user);
  const made =
    typeof user_id === 'object'
      ? user_id
      : await askTool(gateway, {
          profile: 'admin',
          name: 'create_sign_in',
          caller,
          input: user_id === undefined ? {} : { user_id },
          transport: 'cli',
        });
  if (!made.ok) {
    tellFailure(made.error, json);
    return exitCodeOf(made.status);
  }
  const link = signInUrl(url, made.value.key);
  // Printed, not opened: everyone on the machine can see the arguments of the program that would open it.
  print(
    json
      ? JSON.stringify({ url: link })
      : `${link}\nOpens once, until ${made.value.expires_at}; then a cookie keeps the browser signed in.`,
  );
  return EXIT.ok;
}
