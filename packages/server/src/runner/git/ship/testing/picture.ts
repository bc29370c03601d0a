import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { pathOf } from '#runner/git/add-files';
import { plainGit } from '#runner/git/testing/repository';

/** Objects may be added, references are compared by git, and those of Errand are its own. */
const LEFT_OUT = /^(?:(?:\.git\/)?(?:objects|packed-refs|refs\/errand|logs\/refs\/errand)(?:\/|$))/;

/** All files of a folder, with mode, time and content, and all references that are not Errand's own. */
export type Picture = ReadonlyMap<string, string>;

export function pictureOf(folder: string): Picture {
  const found = new Map<string, string>();
  walk(folder, '', found);
  return found;
}

export function refsOf(source: string): Picture {
  const lines = plainGit(source, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n');
  const known = lines.filter((line) => !line.startsWith('refs/errand/')).map((line) => line.split(' '));
  return new Map(known.map(([name = '', at = '']) => [name, at]));
}

function walk(root: string, below: string, found: Map<string, string>): void {
  for (const entry of readdirSync(pathOf(root, below), { encoding: 'latin1', withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (LEFT_OUT.test(name)) continue;
    const path = pathOf(root, name);
    if (entry.isDirectory()) {
      if (!name.startsWith('.git/refs') && !name.startsWith('refs')) found.set(`${name}/`, 'folder');
      walk(root, name, found);
      continue;
    }
    const { mode, mtimeMs: changed_at } = lstatSync(path);
    // Git touches the second file of a split index whenever it reads the index.
    const mtimeMs = entry.name.startsWith('sharedindex.') ? 0 : changed_at;
    found.set(
      name,
      `${mode.toString(8)} ${mtimeMs} ${entry.isSymbolicLink() ? readlinkSync(path, 'latin1') : hashOf(path)}`,
    );
  }
}

const hashOf = (path: Buffer) => createHash('sha1').update(readFileSync(path)).digest('hex');

/** The names whose entry differs. */
export function differing(before: Picture, after: Picture): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((name) => before.get(name) !== after.get(name)).sort();
}
