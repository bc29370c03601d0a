import { queryOptions } from '@tanstack/react-query';
import { CallError } from 'errand/client/answer';

interface SignInOptions {
  /** Whether anyone has a password. */
  readonly password: boolean;
}

/** Signing in is no call of the API: it makes the cookie that calls need. */
async function send(path: string, body: object): Promise<void> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  const { error } = await response.json();
  throw new CallError(response.status, error);
}

export const signIn = (name: string, password: string): Promise<void> => send('/signin', { name, password });

export interface FirstAdmin {
  /** The key of the link that the server printed. */
  readonly key: string;
  readonly name: string;
  readonly password: string;
}

/** Makes the first admin of a server, who is signed in then. */
export const beginAsAdmin = (admin: FirstAdmin): Promise<void> => send('/signin/first', admin);

export const signOut = (): Promise<void> => send('/signout', {});

/** Whether a person can sign in by a password here. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['me', 'sign-in'],
  queryFn: async ({ signal }): Promise<SignInOptions> => (await fetch('/signin/options', { signal })).json(),
});
