import type { Git } from '#runner/git/git';
import type { GitDirPlan } from '#runner/git/git-dir';
import type { Scratch } from '#runner/git/scratch';
import { openScratch } from '#runner/git/scratch';
import type { SourceSettings } from './source-settings.ts';
import { readSettings } from './source-settings.ts';

/** Called before and after every git command and every change of a file: a test can end the process between any two. */
export interface Steps {
  readonly mark: (name: string) => void | Promise<void>;
}

const DEFAULT_LOCK_WAIT_MS = 10_000;

export interface ShipNeeds {
  readonly git: Git;
  /** The folder of all attempts. */
  readonly root: string;
  readonly steps?: Steps;
  /** How long the index lock of another git is waited for. */
  readonly lock_wait_ms?: number;
}

/** The means of one job. */
export interface ShipTools {
  readonly git: Git;
  readonly root: string;
  readonly job_id: string;
  readonly lock_wait_ms: number;
  readonly step: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Read once a job. */
  readonly settings: (git_dir: string) => Promise<SourceSettings>;
  /** A git directory of our own, with the objects of the source and no configuration of anybody. */
  readonly scratch: (plan: Pick<GitDirPlan, 'source'>) => Promise<Scratch>;
}

export function shipTools(needs: ShipNeeds, job_id: string): ShipTools {
  const { git, root, steps = { mark: () => {} }, lock_wait_ms = DEFAULT_LOCK_WAIT_MS } = needs;
  const step: ShipTools['step'] = async (name, work) => {
    await steps.mark(`before ${name}`);
    const result = await work();
    await steps.mark(`after ${name}`);
    return result;
  };
  const known = new Map<string, Promise<SourceSettings>>();
  const markedGit: Git = (args, options) => step(`git ${args[0] ?? ''}`, () => git(args, options));
  return {
    root,
    job_id,
    lock_wait_ms,
    step,
    git: markedGit,
    settings: (git_dir) => {
      const settings = known.get(git_dir) ?? readSettings(markedGit, git_dir);
      known.set(git_dir, settings);
      return settings;
    },
    scratch: ({ source }) =>
      step('scratch', () => openScratch(root, job_id, { source, branch: null, refs: new Map() })),
  };
}
