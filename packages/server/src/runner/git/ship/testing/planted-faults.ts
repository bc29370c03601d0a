import { WITHOUT_GUARDS } from './planted-guards.ts';

/** A fault that is put into the source of one module before it runs. The tests must find each. */
export interface PlantedFault {
  readonly name: string;
  /** Below the folder of this package's `runner/git/ship`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** How it is found: by a twist of a situation, or by rounds of kills and persons. */
  readonly by: { readonly twist: string } | { readonly rounds: 'killed' | 'live'; readonly person: string | null };
}

export const PLANTED: readonly PlantedFault[] = [
  {
    name: 'no old value',
    file: 'move-refs.ts',
    find: `\`update \${ref} \${to} \${from ?? '0'.repeat(to.length)}\``,
    replace: `\`update \${ref} \${to}\``,
    by: { rounds: 'live', person: 'commits to the target' },
  },
  {
    name: 'no lock',
    file: 'carry-out.ts',
    find: 'if (await lockIndex(tools, move.work_tree)) continue;',
    replace: 'continue;',
    by: { rounds: 'live', person: null },
  },
  {
    name: 'a lock of others is taken for ours',
    file: 'lock.ts',
    find: 'catch(() => null)) === textOf(job_id)',
    replace: 'catch(() => null)) !== null',
    by: { rounds: 'killed', person: 'runs another git' },
  },
  {
    name: 'files before references',
    file: 'carry-out.ts',
    find: '(await moveAll(tools, works, mustBeOurs));',
    replace:
      '(await (async () => { for (const one of works) if (one.move.work_tree !== null) await writeFiles(tools, one.source, { ...one.move, work_tree: one.move.work_tree }); return moveAll(tools, works, mustBeOurs); })());',
    by: { rounds: 'live', person: 'commits to the target' },
  },
  {
    name: 'a recovery that overwrites',
    file: 'write-files.ts',
    find: 'await keepForeign(tools, theirs, all, move.repo_id);',
    replace: '',
    by: { rounds: 'killed', person: 'edits a file that the merge changes' },
  },
  {
    name: 'a recovery that forgets the files',
    file: 'carry-out.ts',
    find: 'for (const work of works) await followFiles(tools, work, mustBeOurs);',
    replace: "for (const work of works) if (work.standing === 'before') await followFiles(tools, work, mustBeOurs);",
    by: { rounds: 'killed', person: null },
  },
  {
    name: 'a refusal that takes nothing back',
    file: 'take-back.ts',
    find: 'if (is_done && !(await takeOneBack(tools, work))) is_partial = true;',
    replace: '',
    by: { rounds: 'live', person: 'commits to the target' },
  },
  {
    name: 'no second look under the lock',
    file: 'carry-out.ts',
    find: 'const obstacle = await findObstacle(tools, source, move.work_tree, move);',
    replace: 'const obstacle: Refusal | null = await Promise.resolve(null);',
    by: { rounds: 'killed', person: 'stages a change that is in no file any more' },
  },
  {
    name: 'ignored files are not looked for',
    file: 'in-the-way.ts',
    find: 'if (!found.isDirectory()) return name;',
    replace: "if (!found.isDirectory()) return name.endsWith('.log') ? null : name;",
    by: { twist: 'an ignored file in the way' },
  },
  {
    name: 'the index keeps no time',
    file: 'person-work-tree.ts',
    find: 'await utimes(file, found.atime, found.mtime);',
    replace: 'await utimes(file, new Date(Date.now() + 5000), new Date(Date.now() + 5000));',
    by: { twist: 'a change that neither size nor time shows' },
  },
  {
    name: 'merges with the configuration of the repository',
    file: 'merge-trees.ts',
    find: '...allow, ours, theirs], { git_dir,',
    replace: "...allow, ours, theirs], { git_dir: git_dir + '/../../../../source/.git',",
    by: { twist: 'a merge driver' },
  },
  ...WITHOUT_GUARDS,
];
