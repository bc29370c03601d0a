import type { BrowserContextOptions } from 'playwright-core';
import { createServed } from '../../packages/server/src/testing/served.ts';
import { aWindow, type Window } from './windows.ts';

/** Ports of earlier servers of this process: the browser has the scripts of the board compiled by their address. */
const ports: number[] = [];

/** The whole product in memory behind a real listener, and windows of a real browser on it. */
export async function aSite(options: Parameters<typeof createServed>[1] = {}) {
  const served = await createServed({}, { clock: Date.now, ...options }, ports.pop());
  const { world, url, port } = served;

  /** Opens a window of somebody without a session. */
  async function visit(path = '/', context?: BrowserContextOptions): Promise<Window> {
    const window = await aWindow(url, context);
    await window.page.goto(`${url}${path}`);
    return window;
  }

  async function enter(path: string, person: { readonly user_id?: string }, context?: BrowserContextOptions) {
    const { key } = await world.ask('admin_create_sign_in', person);
    const window = await aWindow(url, context);
    // The cookies of the answer are the window's.
    await window.page.context().request.get(`${url}/?key=${String(key)}`, { maxRedirects: 0 });
    await window.page.goto(`${url}${path}`);
    return window;
  }

  /** Opens a window at an address of the board, signed in by a link as the owner. */
  const open = (path = '/', context?: BrowserContextOptions): Promise<Window> => enter(path, {}, context);

  /** Opens a window at an address of the board, signed in by a link as this user. */
  const openAs = (user_id: string, path = '/'): Promise<Window> => enter(path, { user_id });

  return {
    ...served,
    open,
    openAs,
    visit,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      ports.push(port);
    },
  };
}
