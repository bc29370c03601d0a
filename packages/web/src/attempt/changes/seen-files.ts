import { useState } from 'react';

function kept(key: string): ReadonlySet<string> {
  try {
    const paths: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return new Set(Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []);
  } catch {
    // Storage may be forbidden, or hold something else.
    return new Set();
  }
}

/** The files that a person has ticked as seen, for one version of the changes: changed again, they are unseen again. */
export function useSeen(version: string) {
  const key = `seen ${version}`;
  const [seen, setSeen] = useState(() => kept(key));
  const mark = (path: string, isSeen: boolean) => {
    const next = new Set(seen);
    if (isSeen) next.add(path);
    else next.delete(path);
    setSeen(next);
    try {
      localStorage.setItem(key, JSON.stringify([...next]));
    } catch {
      // It is forgotten with the page.
    }
  };
  return [seen, mark] as const;
}
