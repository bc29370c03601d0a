import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../e2e/program.ts';

/** A separate disk, small enough to be filled. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Fills the disk completely. */
  readonly fill: () => Promise<void>;
  readonly free: () => Promise<void>;
}

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC';

/** Mounts a small disk. Returns the reason when it cannot. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | string> {
  const folder = await temporaryFolder();
  const { path } = folder;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { encoding: 'utf8' });
  if (mounted.status !== 0) {
    await folder[Symbol.asyncDispose]();
    return `a small disk needs root and mount: ${mounted.stderr || mounted.error?.message}`;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: () =>
      // Write until the disk is full: the last write is partial.
      writeFile(filler, Buffer.alloc(megabytes << 20)).then(
        () => Promise.reject(new Error('The disk did not fill.')),
        (error: unknown) => (isFull(error) ? undefined : Promise.reject(error)),
      ),
    free: () => rm(filler),
    [Symbol.asyncDispose]: async () => {
      spawnSync('umount', ['--lazy', path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}
