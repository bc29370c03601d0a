import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export const MEMORY_MB = 64;

/** A network of its own, with nothing in it. Node's permissions do not cover the network before version 25. */
const NO_NETWORK = ['unshare', '--map-root-user', '--net'];

/** Whether the system can take the network away. */
export const hasNoNetwork = spawnSync(NO_NETWORK[0] ?? '', [...NO_NETWORK.slice(1), 'true']).status === 0;

/** Starts a script in a process that can do nothing but compute, read its input and write its output. */
export function startBehindWall(script: string): ChildProcessByStdio<Writable, Readable, null> {
  const flags = [
    // No files but the script itself, no processes, no threads, no addons.
    '--permission',
    `--allow-fs-read=${script}`,
    `--max-old-space-size=${MEMORY_MB}`,
    // The way from an object of Node to Node is code made of text, or a change to what all objects inherit.
    '--disallow-code-generation-from-strings',
    '--frozen-intrinsics',
    '--no-warnings',
  ];
  const [program = '', ...args] = [...(hasNoNetwork ? NO_NETWORK : []), process.execPath, ...flags, script];
  return spawn(program, args, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
}
