import { requireProgram } from './guarded-server.ts';

/** As root Chromium starts without its sandbox only. The other flags keep it from asking for anything by itself. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** The path of Chromium, which is installed on Debian if it is missing. */
export const chromiumPath = (): string => requireProgram('chromium', 'chromium');
