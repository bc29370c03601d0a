import { type RefCallback, useCallback } from 'react';

/** Says, in --foot, how high what stands at the foot of the page is: messages appear above it, so that its buttons can be pressed. */
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
