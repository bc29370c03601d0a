import { useQueryClient } from '@tanstack/react-query';
import { signOut } from '../api/sign-in.ts';

/** Ends the session of this browser, and forgets what it has read. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await signOut();
    // The answer to "who am I" is now that nobody is signed in.
    await client.resetQueries();
  };
}
