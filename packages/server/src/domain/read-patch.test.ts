import { describe, expect, it } from 'vitest';
import { readPatch, shownLines } from './read-patch.ts';

const PATCH = [
  'diff --git a/src/a.ts b/src/a.ts',
  'index 1..2 100644',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -1,3 +1,4 @@ function a() {',
  ' one',
  '-two',
  '+zwei',
  '+--- a/not/a/head',
  ' three',
  '@@ -10 +11,0 @@',
  '--- removed, and looks like a head',
  '\\ No newline at end of file',
  'diff --git "a/b\\303\\244r \\"x\\".txt" "b/b\\303\\244r \\"x\\".txt"',
  'new file mode 100644',
  '--- /dev/null',
  '+++ "b/b\\303\\244r \\"x\\".txt"',
  '@@ -0,0 +1 @@',
  '+diff --git a/no b/no',
  'diff --git a/old name.txt b/new name.txt',
  'similarity index 100%',
  'rename from old name.txt',
  'rename to new name.txt',
  'diff --git a/gone.ts b/gone.ts',
  'deleted file mode 100644',
  '--- a/gone.ts',
  '+++ /dev/null',
  '@@ -1 +0,0 @@',
  '-x',
  'diff --git a/a b.png b/a b.png',
  'Binary files a/a b.png and b/a b.png differ',
  '',
].join('\n');

describe('readPatch', () => {
  it('reads names in every form that git writes them, and counts lines instead of looking at them', () => {
    const files = readPatch(PATCH);

    expect(files.map(({ old_path, path, hunks }) => [old_path, path, hunks.length])).toEqual([
      ['src/a.ts', 'src/a.ts', 2],
      [null, 'bär "x".txt', 1],
      ['old name.txt', 'new name.txt', 0],
      ['gone.ts', null, 1],
      ['a b.png', 'a b.png', 0],
    ]);
  });

  it('numbers the shown lines of each side', () => {
    const [file] = readPatch(PATCH);

    expect(file && shownLines(file, 'new')).toEqual([
      { line: 1, text: 'one' },
      { line: 2, text: 'zwei' },
      { line: 3, text: '--- a/not/a/head' },
      { line: 4, text: 'three' },
    ]);
    expect(file && shownLines(file, 'old')).toEqual([
      { line: 1, text: 'one' },
      { line: 2, text: 'two' },
      { line: 3, text: 'three' },
      { line: 10, text: '-- removed, and looks like a head' },
    ]);
  });
});
