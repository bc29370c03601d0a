import { useEffect, useRef } from 'react';

const CHANNEL = 'errand-person';

/**
 * The tabs of a browser share its cookie. When another person signs in in one of them, the others read everything anew: they
 * would go on showing what the first person sees, and act as the second.
 */
export function useOnePerson(user_id: string | undefined): void {
  const first = useRef<string>(undefined);
  useEffect(() => {
    if (user_id === undefined) return;
    first.current ??= user_id;
    // Who is signed in may have been read again before the other tab has said so.
    if (first.current !== user_id) window.location.reload();
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => {
      if (data !== user_id) window.location.reload();
    };
    channel.postMessage(user_id);
    return () => channel.close();
  }, [user_id]);
}
