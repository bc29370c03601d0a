import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { undescribed } from './generate/file-index.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const NAME = /^(?:packages\/)?[\w.*@-]+(?:\/|\.(?:tsx?|cjs|md))$/;
const PATH = /`((?:[\w.*@-]+\/)*[\w.*@-]+(?:\/|\.(?:tsx?|cjs|md)))`/g;
/** The folders that the text leaves out of a path. */
const PREFIXES = [
  '',
  'packages/server',
  'packages/server/src',
  'packages/mcp/src',
  'packages/tasks/src',
  'packages/web/src',
  'scripts',
  'packages/server/src/runner',
  'packages/server/src/runner/git/ship',
  'packages/server/src/services/runs',
  'packages/server/src/tools',
];

const exists = (path: string): boolean => globSync(path.replace(/\/$/, ''), { cwd: root }).length > 0;

/** The paths of the tree at the top: a line's indentation says in which folder its names are. */
function pathsOfTree(tree: string): readonly string[] {
  const folders: { readonly indent: number; readonly path: string }[] = [];
  return tree.split('\n').flatMap((line) => {
    const indent = line.search(/\S/);
    const [column = ''] = line.trim().split(/\s{2,}/);
    while ((folders.at(-1)?.indent ?? -2) >= indent) folders.pop();
    const names = column.split(' ').filter((word) => NAME.test(word));
    const paths = names.map((word) => `${folders.at(-1)?.path ?? ''}${word}`);
    if (paths[0]?.endsWith('/')) folders.push({ indent, path: paths[0] });
    return paths;
  });
}

const [, tree = ''] = text.split(/^```$/m);

it('names only paths that exist in its tree', () => {
  const paths = pathsOfTree(tree);

  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

it('names only paths that exist in its text', () => {
  const paths = [...text.replace(tree, '').matchAll(PATH)].map(([, path = '']) => path);
  const missing = paths.filter((path) => !PREFIXES.some((prefix) => exists(join(prefix, path))));

  expect(paths.length).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

const [firstPart = '', places = ''] = text.split('## Where is it\n');

it('has a first part that is read in five minutes, at 260 words a minute', () => {
  const words = firstPart.split(/\s+/).filter((word) => /\w/.test(word));

  expect(words.length).toBeGreaterThan(900);
  expect(words.length).toBeLessThanOrEqual(1_300);
});

it('names first, for each behaviour, the file that decides it', () => {
  const [tables = ''] = places.split('## Where to add a tool');
  const rows = tables.split('\n### ').flatMap((table) => {
    const [, folder = ''] = /file, below `([^`]+)`/.exec(table) ?? [];
    const cells = [...table.matchAll(/^\| (?!behaviour|-)(.+?) +\| (.+?) +\|$/gm)];
    return cells.map(([, behaviour = '', files = '']) => ({ folder, behaviour, files }));
  });
  const decides = ({ folder, files }: (typeof rows)[number]): boolean => {
    const [, path = ''] = /^`([\w./*-]+\.(?:tsx?|cjs))`/.exec(files) ?? [];
    return path !== '' && (exists(join(folder, path)) || exists(path));
  };

  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => !decides(row)).map(({ behaviour }) => behaviour)).toEqual([]);
});

it('says what is decided in each listed file', () => {
  const what =
    'Write in ARCHITECTURE.md, behind the path, or for the web board in a comment of the file, what is decided there, in 8 to 25 words that a person would search for:';

  expect(undescribed(text), `${what} ${undescribed(text).join(', ')}`).toEqual([]);
});
