import { describe, expect, it } from 'vitest';
import { patchOf, textPart } from './patch.ts';

const EDITED = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,3 @@
-diff --git a/b.ts b/b.ts
+--- a/b.ts
 same
`;
const RENAMED = `diff --git a/old name.ts b/b.ts
similarity index 100%
rename from old name.ts
rename to b.ts
`;
const QUOTED = `diff --git "a/say \\"hi\\".txt" "b/say \\"hi\\".txt"
new file mode 100644
--- /dev/null
+++ "b/say \\"hi\\".txt"
@@ -0,0 +1 @@
+hi
`;
const SPACED = `diff --git a/two words.txt b/two words.txt
--- a/two words.txt\t
+++ b/two words.txt\t
@@ -1 +1 @@
-a
+b
`;
const BINARY = `diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
`;

describe('a patch', () => {
  const patch = [EDITED, RENAMED, QUOTED, SPACED, BINARY].join('');

  it.each([
    ['src/a.ts', EDITED],
    ['b.ts', RENAMED],
    ['old name.ts', RENAMED],
    ['say "hi".txt', QUOTED],
    ['two words.txt', SPACED],
    ['logo.png', BINARY],
    ['a.ts', ''],
    ['.*', ''],
  ])('contains the part about %s, and nothing else', (path, part) => {
    expect(patchOf(patch, path)).toBe(part);
  });
});

describe('a long text', () => {
  it('is returned in parts that together are the text', () => {
    const text = 'ab😀cd😀e';
    const parts: string[] = [];

    for (let at: number | null = 0; at !== null; ) {
      const part = textPart(text, at, 3);
      parts.push(part.text);
      at = part.next;
    }

    expect(parts).toEqual(['ab', '😀c', 'd😀', 'e']);
  });

  it('ends where it ends, and is empty after that', () => {
    expect(textPart('abc', 0, 3)).toEqual({ text: 'abc', next: null });
    expect(textPart('abc', 7, 3)).toEqual({ text: '', next: null });
  });
});
