import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AttemptFolders } from '#runner/git/attempt-folders';
import { createAttemptFolders } from '#runner/git/attempt-folders';

/** Runs git as an agent or a person does, with all configuration of the place. */
export function plainGit(cwd: string, ...args: readonly string[]): string {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    HOME: '/nonexistent',
  };
  return execFileSync('git', [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trimEnd();
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

export async function commitFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  message = 'change',
): Promise<string> {
  await writeFiles(folder, files);
  plainGit(folder, 'add', '-A');
  plainGit(folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', message);
  return plainGit(folder, 'rev-parse', 'HEAD');
}

export interface Bed extends AsyncDisposable {
  /** The attempts that have a folder. */
  readonly attempts: () => Promise<readonly string[]>;
  readonly folder: string;
  readonly root: string;
  readonly source: string;
  readonly attemptFolders: AttemptFolders;
  /** The file that a successful attack creates. */
  readonly canary: string;
  readonly sang: () => boolean;
  readonly place: (attempt_id?: string) => { source: string; folder: string; branch: string; attempt_id: string };
  /** Makes a folder that is ready for an agent. */
  readonly start: (attempt_id?: string) => Promise<Started>;
}

export type Started = ReturnType<Bed['place']> & { readonly base_commit: string };

/** A repository with one commit on `main`, and a folder for its attempts. */
export async function aBed(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): Promise<Bed> {
  const folder = await mkdtemp(join(tmpdir(), 'errand git ü-'));
  const source = join(folder, 'source');
  const root = join(folder, 'attempts');
  const canary = join(folder, 'canary');
  await mkdir(source);
  plainGit(source, 'init', '-q', '-b', 'main');
  await commitFiles(source, files, 'first');
  const attemptFolders = createAttemptFolders({ root });
  const place = (attempt_id = 'attempt-1') => ({
    source,
    folder: attemptFolders.repoFolder(attempt_id, 'shop', 0),
    branch: `errand/${attempt_id}`,
    attempt_id,
  });
  return {
    attempts: async () => (await readdir(root).catch(() => [])).filter((name) => !name.startsWith('.')),
    folder,
    root,
    source,
    attemptFolders,
    canary,
    sang: () => existsSync(canary),
    place,
    start: async (attempt_id) => {
      const { base_commit } = await attemptFolders.prepare({
        ...place(attempt_id),
        target_branch: 'main',
        base_commit: null,
      });
      return { ...place(attempt_id), base_commit };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
