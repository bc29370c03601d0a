import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A person's git repository: with a commit on main, and a work tree that nothing may change. */
export interface Repository {
  readonly path: string;
  readonly git: (...args: string[]) => Promise<string>;
}

export async function aRepository(path: string, files: Readonly<Record<string, string>>): Promise<Repository> {
  const git = async (...args: string[]): Promise<string> => (await run('git', ['-C', path, ...args])).stdout.trimEnd();
  await mkdir(path, { recursive: true });
  await git('init', '--quiet', '--initial-branch=main');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  await git('add', '--all');
  await git('-c', 'user.name=Ana', '-c', 'user.email=ana@localhost', 'commit', '--quiet', '--message=First');
  return { path, git };
}
