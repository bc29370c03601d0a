import type { AttemptRepo } from '#domain/attempt';
import type { PreparedRepo } from './attempt-repos.ts';
import type { ConcurrencyLimit } from './concurrency.ts';
import type { AttemptFolders } from './git/attempt-folders.ts';

interface Needs {
  readonly attemptFolders: AttemptFolders;
  readonly attempt: { readonly id: string; readonly branch: string };
  readonly repos: () => readonly PreparedRepo[];
  /** Whether the agent has reported anything since the last call. */
  readonly isNews: () => boolean;
  readonly write: (repos: readonly AttemptRepo[]) => Promise<void>;
  /** Bounds how many folders are read at once: a large one takes seconds. */
  readonly limitGit: ConcurrencyLimit;
  readonly report: (error: unknown) => void;
}

const EVERY_MS = 5_000;

/** Writes the agent's changes every few seconds while it works, so that a person can stop it early. Returns a function that ends that. */
export function watchChanges({
  attemptFolders,
  attempt,
  repos,
  isNews,
  write,
  limitGit,
  report,
}: Needs): () => Promise<void> {
  const { id: attempt_id, branch } = attempt;
  let isDue = false;
  let reading: Promise<void> | null = null;
  let isOver = false;

  async function changesIn({ repo, source, folder }: PreparedRepo): Promise<readonly AttemptRepo[]> {
    if (repo.base_commit === null) return [];
    const { base_commit } = repo;
    const { files, patch, is_patch_cut } = await attemptFolders.diff({
      source,
      folder,
      branch,
      attempt_id,
      base_commit,
    });
    const text = JSON.stringify(files);
    return text === repo.files && patch === repo.patch ? [] : [{ ...repo, files: text, patch, is_patch_cut }];
  }

  async function read(): Promise<void> {
    const changed = (await Promise.all(repos().map(changesIn))).flat();
    if (changed.length > 0 && !isOver) await write(changed);
  }

  async function readInTurn(): Promise<void> {
    isDue = true;
    await limitGit(async () => {
      if (isOver) return;
      reading = read().catch(report);
      await reading;
    });
    isDue = false;
  }

  const timer = setInterval(() => {
    if (!isDue && isNews()) void readInTurn();
  }, EVERY_MS).unref();

  return async () => {
    isOver = true;
    clearInterval(timer);
    // Wait only for a reading that has begun: the end of a run must not wait for its turn.
    await reading;
  };
}
