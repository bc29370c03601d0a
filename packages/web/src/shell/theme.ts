import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';
export type Density = 'comfortable' | 'compact';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set<() => void>();

/** What this browser keeps of light or dark and of the density. Storage may be forbidden, as in a frame of another site. */
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

/** Light or dark: a person's choice wins over the system's; without one the page follows the system. */
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

const floatsNow = (): boolean => remembered('floats') !== 'off';

/** Whether cards that need a person stand at the top of their column. */
export const useFloats = (): boolean => useSyncExternalStore(watch, floatsNow);

export function setFloats(floats: boolean): void {
  remember('floats', floats ? 'on' : 'off');
  apply();
}

/** Switches between light and dark, and keeps the choice in this browser. */
export function switchTheme(): void {
  remember('theme', themeNow() === 'dark' ? 'light' : 'dark');
  apply();
}

/** Sets how dense boards are, and keeps it in this browser. */
export function setDensity(density: Density): void {
  remember('density', density);
  apply();
}
