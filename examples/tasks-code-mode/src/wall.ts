import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export const MEMORY_MB = 64;

/** An empty network namespace. Node's permissions do not cover the network before version 25. */
const NO_NETWORK = ['unshare', '--map-root-user', '--net'];

/** Whether the system can make an empty network namespace. */
export const hasNoNetwork = spawnSync(NO_NETWORK[0] ?? '', [...NO_NETWORK.slice(1), 'true']).status === 0;

/** Starts a script in a process that can do nothing but compute, read its input and write its output. */
export function startBehindWall(script: string): ChildProcessByStdio<Writable, Readable, null> {
  const flags = [
    // No files except the script, no processes, no threads, no addons.
    '--permission',
    `--allow-fs-read=${script}`,
    `--max-old-space-size=${MEMORY_MB}`,
    // Code from strings, or a changed prototype, would let a program get from an object of Node to Node itself.
    '--disallow-code-generation-from-strings',
    '--frozen-intrinsics',
    '--no-warnings',
  ];
  const [program = '', ...args] = [...(hasNoNetwork ? NO_NETWORK : []), process.execPath, ...flags, script];
  return spawn(program, args, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
}
