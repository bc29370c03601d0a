import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdCalls, reasonOf, sendCalls } from '../api/client.ts';
import { startLive, stopLive } from '../api/live-store.ts';
import { signOut } from '../api/sign-in.ts';
import { useToasts } from '../ui/toast.tsx';

/** Ends the session of this browser. First all reading stops: whatever is asked without a session is refused. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  return async () => {
    stopLive();
    holdCalls();
    await client.cancelQueries();
    try {
      await signOut();
    } catch (error) {
      sendCalls();
      startLive(client);
      toasts.show({ kind: 'refused', text: reasonOf(error) });
      return;
    }
    // The sign-in lets calls go again, when the page that would make them has gone.
    await navigate({ to: '/signin' });
  };
}
