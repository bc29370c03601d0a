import { expect, it } from 'vitest';
import { commentsOn, onGoneFiles, onGoneLines } from './earlier.ts';
import { readPatch } from './patch.ts';

const FILES = [
  { repo_id: 'r1', path: 'a.ts' },
  { repo_id: 'r1', path: 'b.ts' },
];

it('keeps the comments on files that have left the changes, file by file', () => {
  const comments = [
    { repo_id: 'r1', path: 'gone.ts', text: 'one' },
    { repo_id: 'r1', path: 'a.ts', text: 'here' },
    { repo_id: 'r1', path: 'gone.ts', text: 'two' },
    { repo_id: 'r2', path: 'b.ts', text: 'of another repository' },
  ];

  const gone = onGoneFiles(FILES, comments);

  expect(gone.map(([path, its]) => [path, its.map(({ text }) => text)])).toEqual([
    ['gone.ts', ['one', 'two']],
    ['b.ts', ['of another repository']],
  ]);
  // Each comment is shown in one place.
  const shown = FILES.flatMap((file) => commentsOn(file, comments));
  expect(shown.map(({ text }) => text)).toEqual(['here']);
  expect(onGoneFiles([], comments).flatMap(([, its]) => its)).toHaveLength(comments.length);
});

it('keeps the comments on lines that no hunk has', () => {
  const { hunks } = readPatch('@@ -4,2 +4,1 @@\n-old\n same\n');
  const on = (side: 'old' | 'new', line: number | null) => ({ side, line });

  const shown = [on('old', 4), on('old', 5), on('new', 4)];
  const gone = [on('new', 5), on('old', 3), on('new', null)];

  expect(onGoneLines(hunks, [...shown, ...gone])).toEqual(gone);
});
