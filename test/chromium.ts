import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_FLAGS, chromiumPath } from '../scripts/chromium.ts';
import { oneForAll } from './one-for-all.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address at which tests connect to the one running Chromium. */
    chromium: string;
  }
}

async function startChromium() {
  const server = await chromium.launchServer({ executablePath: chromiumPath(), args: [...CHROMIUM_FLAGS] });
  return { endpoint: server.wsEndpoint(), stop: () => server.close() };
}

const { running, teardown } = oneForAll('chromium', startChromium);

export { teardown };

/** Starts the browser of all tests: a start takes a second, a new window of it a few milliseconds. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('chromium', (await running()).endpoint);
}
