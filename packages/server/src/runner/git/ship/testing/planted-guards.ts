import type { PlantedFault } from './planted-faults.ts';

const OPERATIONS = {
  MERGE_HEAD: 'MERGE_HEAD',
  CHERRY_PICK_HEAD: 'CHERRY_PICK_HEAD',
  REVERT_HEAD: 'REVERT_HEAD',
  BISECT_LOG: 'BISECT_LOG',
  'rebase-merge': 'rebase-merge/x',
  'rebase-apply': 'rebase-apply/x',
  sequencer: 'sequencer/todo',
};

/** A guard of a module, taken out. */
const without = (file: string, find: string, twist: string, replace = ''): PlantedFault => ({
  name: `without the guard against: ${twist}`,
  file,
  find,
  replace,
  by: { twist },
});

const NEVER = 'if (false as boolean)';

/** Every guard of a work tree. The situation that asks for its reason must find that it is missing. */
export const WITHOUT_GUARDS: readonly PlantedFault[] = [
  ...Object.entries(OPERATIONS).map(([name, file]) =>
    without('clean.ts', `  '${name}',\n`, `an operation is under way: ${file}`),
  ),
  without('clean.ts', 'if (await isSplit(tools.git, work_tree.git_dir))', 'a split index', NEVER),
  without('clean.ts', "if (tags.includes('M')) return NOT_CLEAN;", 'entries that are not merged'),
  without('clean.ts', "if (tags.some((tag) => tag !== 'H'))", 'a sparse checkout', NEVER),
  without('clean.ts', "tag !== 'H'", 'a file that git was told to skip', "!'Hh'.includes(tag)"),
  without('clean.ts', 'if (staged.code !== 0) return NOT_CLEAN;', 'a staged change'),
  without('clean.ts', '(await theirs.changed(index)).length > 0 ? NOT_CLEAN : null', 'an unstaged change', 'null'),
  without('clean.ts', 'one.new?.mode === SUBMODULE', 'a submodule', 'false'),
  without('clean.ts', 'one.old?.mode === SUBMODULE', 'a submodule that is removed', 'false'),
  without('clean.ts', 'if (blocked !== null)', 'an untracked file in the way', NEVER),
  without('clean.ts', "'filter', ", 'a filter for a new file'),
  without('clean.ts', "'ident', ", 'a file with the name of its commit in it'),
  without('clean.ts', ", 'working-tree-encoding'", 'an encoding that comes with the merge'),
  without(
    'in-the-way.ts',
    'return firstBesides(work_tree, path, gone);',
    'an untracked folder in the way',
    'return null;',
  ),
  without(
    'in-the-way.ts',
    'const found = entry.isDirectory() ? await firstBesides(work_tree, name, gone) : name;',
    'an ignored file in a folder that becomes a file',
    'const found = entry.isDirectory() ? await firstBesides(work_tree, name, gone) : null;',
  ),
  without('work-trees.ts', 'if (busy !== null)', 'a rebase of the target is under way', NEVER),
  without('work-trees.ts', 'if (found.length > 1)', 'a second work tree with the target', NEVER),
  without('work-trees.ts', 'if (is_main && names_work_tree)', 'a repository that says where its files are', NEVER),
  without('work-trees.ts', 'return work_tree === null', 'a work tree whose folder is gone', 'return false as boolean'),
];
