import { type RefCallback, useCallback } from 'react';

/** Sets `--foot` to the height of the bar at the foot, so that toasts appear above its buttons. */
export function useFoot(): RefCallback<HTMLElement> {
  return useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const root = document.documentElement.style;
    const watch = new ResizeObserver(() => root.setProperty('--foot', `${element.offsetHeight}px`));
    watch.observe(element);
    return () => {
      watch.disconnect();
      root.removeProperty('--foot');
    };
  }, []);
}
