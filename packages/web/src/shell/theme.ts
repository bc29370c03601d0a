import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';
export type Density = 'comfortable' | 'compact';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set<() => void>();

/** Storage may be forbidden, for example in a frame of another site. */
function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice lasts as long as the page.
  }
}

/** A choice wins over the system's; without one the page follows the system. */
function apply(): void {
  const theme = remembered('theme') ?? (dark.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.density = remembered('density') ?? 'comfortable';
  for (const watcher of watchers) watcher();
}

apply();
dark.addEventListener('change', apply);

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};

const themeNow = (): Theme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');
const densityNow = (): Density => (document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable');

export const useTheme = (): Theme => useSyncExternalStore(watch, themeNow);
export const useDensity = (): Density => useSyncExternalStore(watch, densityNow);

export function switchTheme(): void {
  remember('theme', themeNow() === 'dark' ? 'light' : 'dark');
  apply();
}

export function setDensity(density: Density): void {
  remember('density', density);
  apply();
}
