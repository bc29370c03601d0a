import { useSyncExternalStore } from 'react';
import type { Inbox } from '../api/inbox.ts';
import { idOf } from '../api/inbox.ts';

const CHOICE = 'notify';
const watchers = new Set<() => void>();

function isWanted(): boolean {
  try {
    return localStorage.getItem(CHOICE) === 'on';
  } catch {
    // Storage may be forbidden: then nobody can have wanted them.
    return false;
  }
}

const isAllowed = (): boolean => 'Notification' in window && Notification.permission === 'granted';

const isOn = (): boolean => isWanted() && isAllowed();

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};

/** Whether the person wants notifications of the system, and the browser allows them. */
export const useNotify = (): boolean => useSyncExternalStore(watch, isOn);

/** Switches notifications, and asks the browser for them when they are switched on. Resolves with whether they are on. */
export async function setNotify(wanted: boolean): Promise<boolean> {
  if (wanted && 'Notification' in window) await Notification.requestPermission();
  try {
    localStorage.setItem(CHOICE, wanted ? 'on' : 'off');
  } catch {
    // The choice cannot be kept: it stays off.
  }
  for (const watcher of watchers) watcher();
  return isOn();
}

/** The newest entry, when it has come since the last look; null when nothing is new. */
export function news(before: Inbox | undefined, now: Inbox): Inbox['rows'][number] | null {
  const [row] = now.rows;
  if (before === undefined || row === undefined) return null;
  const [last] = before.rows;
  const isNewer = last === undefined || Date.parse(row.since) > Date.parse(last.since);
  return isNewer && (last === undefined || idOf(last) !== idOf(row)) ? row : null;
}

/** A notification of the system for a new entry of the inbox, only while nobody looks at the page; one at a time. */
export function notify({ task_key, title, text, kind }: Inbox['rows'][number], onOpen: () => void): void {
  if (!isOn() || document.visibilityState === 'visible') return;
  const body = text ?? (kind === 'review' ? 'Ready to read.' : '');
  // One at a time: a second one takes the place of the first.
  const shown = new Notification([task_key, title].filter(Boolean).join(' '), { body, tag: 'errand-inbox' });
  shown.onclick = () => {
    window.focus();
    onOpen();
  };
}
