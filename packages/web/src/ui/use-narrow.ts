import { useSyncExternalStore } from 'react';

const query = '(max-width: 760px)';

const watch = (listener: () => void) => {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};

/** Whether the window is as narrow as a phone, where heights differ that the page must know. */
export const useNarrow = (): boolean => useSyncExternalStore(watch, () => window.matchMedia(query).matches);
