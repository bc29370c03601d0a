import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitDirPlan } from './git-dir.ts';
import { writeGitDir } from './git-dir.ts';

/**
 * Starts with a dot, unlike every attempt. The folder is beside the attempts, so that a rename can move a folder into
 * it.
 */
export const SCRATCH = '.scratch';

/** Things that agents left and that the source cannot keep: git directories, and files outside of repositories. People decide about them. */
export const KEPT = '.kept';

export interface Scratch extends AsyncDisposable {
  readonly root: string;
  readonly folder: string;
  /** Reads objects of the source and of the agent, without the configuration of either. */
  readonly git_dir: string;
}

/** Opens a private folder for one operation. Its git directory replaces the agent's, in which no git may run. */
export async function openScratch(root: string, attempt_id: string, plan: GitDirPlan): Promise<Scratch> {
  await mkdir(join(root, SCRATCH), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(root, SCRATCH, `${attempt_id}-`));
  const git_dir = join(folder, 'git');
  await writeGitDir(git_dir, plan);
  return { root, folder, git_dir, [Symbol.asyncDispose]: () => removeTree(folder) };
}

/** Moves a folder out of the reach of agents. Returns its path below the root; null when there is none. */
export async function keepAside(root: string, attempt_id: string, folder: string): Promise<string | null> {
  if (!(await lstat(folder).catch(() => null))?.isDirectory()) return null;
  await mkdir(join(root, KEPT), { recursive: true, mode: 0o700 });
  const taken = new Set(await readdir(join(root, KEPT)));
  let number = 1;
  while (taken.has(`${attempt_id}-${number}`)) number += 1;
  const name = `${KEPT}/${attempt_id}-${number}`;
  await rename(folder, join(root, name));
  return name;
}

/** Removes a folder with its content, even if an agent has removed the permission for it. */
export async function removeTree(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 } as const;
  try {
    await rm(path, options);
  } catch {
    await makeWritable(path);
    await rm(path, options);
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}
