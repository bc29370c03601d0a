import { expect, it } from 'vitest';
import type { ChangedFile } from '../../api/attempts.ts';
import { inTreeOrder, treeRows } from './file-tree.ts';
import { languageOf } from './language.ts';

const file = (path: string): ChangedFile => ({ path, change: 'modified', insertions: 1, deletions: 0, repo_id: 'r1' });

it('lists changed files by folder', () => {
  const files = ['src/b.ts', 'README.md', 'src/web/a.ts', 'src/a.ts'].map(file);

  expect(treeRows(files).map((row) => `${row.kind} ${row.name}`)).toEqual([
    'file README.md',
    'folder src',
    'file a.ts',
    'file b.ts',
    'folder src/web',
    'file a.ts',
  ]);
  expect(inTreeOrder(files).map(({ path }) => path)).toEqual(['README.md', 'src/a.ts', 'src/b.ts', 'src/web/a.ts']);
});

it('knows the language of a file by its name', () => {
  expect(['a/b.TSX', 'Dockerfile', 'LICENSE', 'x.y.py'].map(languageOf)).toEqual([
    'typescript',
    'dockerfile',
    null,
    'python',
  ]);
});
