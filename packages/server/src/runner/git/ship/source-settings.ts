import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '#runner/git/git';
import { names } from '#runner/git/git';

/** How git converts the files of a repository. */
const CONVERTING = ['core.autocrlf', 'core.eol', 'core.symlinks', 'core.filemode'];
const WANTED = String.raw`^(core\.(autocrlf|eol|symlinks|filemode|worktree|hookspath)|commit\.gpgsign|merge\..*\.driver)$`;

export interface SourceSettings {
  /** Given to commands that read or write files of a person. */
  readonly conversion: readonly string[];
  /** Whether the repository says itself where its work tree is. */
  readonly names_work_tree: boolean;
  /** What git would have done in a merge by hand and Errand does not. */
  readonly notes: readonly string[];
}

/** Reads the settings that matter to a merge: the repository's own, or else the operator's. */
export async function readSettings(git: Git, git_dir: string): Promise<SourceSettings> {
  const found = await git(['config', '--includes', '--show-scope', '-z', '--get-regexp', WANTED], {
    git_dir,
    reads_operator: true,
    answers: [1, 3, 128],
  });
  const parts = names(found.stdout).map((part) => Buffer.from(part, 'latin1').toString());
  const settings = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    // The command line of this very git.
    if (parts[at] === 'command') continue;
    const [key = '', ...value] = (parts[at + 1] ?? '').split('\n');
    settings.set(key, value.length === 0 ? 'true' : value.join('\n'));
  }
  return {
    conversion: CONVERTING.flatMap((key) => (settings.has(key) ? [`${key}=${settings.get(key)}`] : [])),
    names_work_tree: settings.has('core.worktree'),
    notes: [
      ...((await hasHooks(git_dir, settings)) ? ['Hooks of the repository were not run.'] : []),
      ...(isTrue(settings.get('commit.gpgsign')) ? ['The commit is not signed.'] : []),
      ...([...settings.keys()].some((key) => key.startsWith('merge.'))
        ? ['Merge drivers of the configuration were not run.']
        : []),
    ],
  };
}

const isTrue = (value: string | undefined): boolean => /^(?:true|yes|on|[1-9]\d*)$/i.test(value ?? '');

async function hasHooks(git_dir: string, settings: ReadonlyMap<string, string>): Promise<boolean> {
  if (settings.has('core.hookspath')) return true;
  const found = await readdir(join(git_dir, 'hooks')).catch(() => []);
  return found.some((name) => !name.endsWith('.sample') && !name.includes('.'));
}
