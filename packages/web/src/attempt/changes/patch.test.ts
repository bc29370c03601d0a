import { expect, it } from 'vitest';
import { lineCount, pairsOf, readPatch, splitRows } from './patch.ts';

const PATCH = `diff --git a/src/retry.ts b/src/retry.ts
index 1111111..2222222 100644
--- a/src/retry.ts
+++ b/src/retry.ts
@@ -1,4 +1,5 @@ schedule
 import { a } from 'a';
-import { b } from 'b';
+import { b, c } from 'b';
+import { d } from 'd';

@@ -20 +21 @@
---flag
+++flag
\\ No newline at end of file
`;

it('reads hunks with the numbers of their lines', () => {
  const { hunks, isBinary } = readPatch(PATCH);

  expect(isBinary).toBe(false);
  expect(hunks.map(({ header }) => header)).toEqual(['@@ -1,4 +1,5 @@ schedule', '@@ -20 +21 @@']);
  expect(hunks[0]?.lines.map(({ kind, old, new: now }) => [kind, old, now])).toEqual([
    ['same', 1, 1],
    ['del', 2, null],
    ['add', null, 2],
    ['add', null, 3],
    ['same', 3, 4],
  ]);
});

it('takes changed lines that look like heads of a patch for lines', () => {
  expect(readPatch(PATCH).hunks[1]?.lines.map(({ kind, text }) => [kind, text])).toEqual([
    ['del', '--flag'],
    ['add', '++flag'],
  ]);
});

it('knows a binary file', () => {
  expect(readPatch('diff --git a/x b/x\nBinary files a/x and b/x differ\n')).toEqual({ hunks: [], isBinary: true });
});

it('puts removed lines beside those added in their place', () => {
  const rows = splitRows(readPatch(PATCH).hunks[0]?.lines ?? []);

  expect(rows.map(({ left, right }) => [left?.old ?? null, right?.new ?? null])).toEqual([
    [1, 1],
    [2, 2],
    [null, 3],
    [3, 4],
  ]);
});

it('pairs a removed line with the one in its place', () => {
  expect(pairsOf(readPatch(PATCH).hunks[0]?.lines ?? []).map(([one, other]) => [one.old, other.new])).toEqual([[2, 2]]);
  expect(lineCount(readPatch(PATCH))).toBe(7);
});
