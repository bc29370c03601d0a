import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The pauses before the tries after the first one: 43 seconds in all. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 10_000];

/** The bundler's loader asks for a style sheet once. One that did not come is asked for again here. */
async function loadMissingStyles(): Promise<void> {
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    ({ sheet }) => sheet === null,
  );
  await Promise.all(
    missing.map((link) => {
      const again = document.createElement('link');
      again.rel = 'stylesheet';
      again.href = link.href;
      link.replaceWith(again);
      return new Promise((resolve, reject) => {
        again.onload = resolve;
        again.onerror = () => reject(new Error(`${link.href} could not be loaded.`));
      });
    }),
  );
}

/**
 * Loads a module of the board, and tries again when it does not come: while the server restarts, a page keeps what it
 * shows. A module that still does not come belongs to an older build of the server.
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
      await loadMissingStyles().catch(() => undefined);
    }
  }
  return load();
}

/** A component that is loaded when it is first drawn: the first view must be small. */
export const lazily = <Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => ({ default: await loadModule(load) }));
