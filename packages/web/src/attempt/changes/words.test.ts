import { expect, it } from 'vitest';
import { readPatch } from './patch.ts';
import { piecesOf, tokenLines } from './tokens.ts';
import { changedWords, markedWords } from './words.ts';

it('finds the words in which two lines differ', () => {
  const before = "import { handle } from './handle';";
  const after = "import { handle, Unhandled } from './handle';";

  const words = changedWords(before, after);

  expect(words?.removed).toEqual([]);
  expect(words?.added.map(({ from, to }) => after.slice(from, to)).join('')).toBe(', Unhandled');
});

it('marks nothing in lines that have little in common, or are too long', () => {
  expect(changedWords('await handle(event);', 'return tables.insert(row)')).toBeNull();
  expect(changedWords('x'.repeat(2_000), 'x')).toBeNull();
});

it('marks the lines of a change on both sides', () => {
  const [hunk] = readPatch('@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n').hunks;

  expect([...markedWords(hunk?.lines ?? [])].map(([{ kind }, ranges]) => [kind, ranges])).toEqual([
    ['del', [{ from: 10, to: 11 }]],
    ['add', [{ from: 10, to: 11 }]],
  ]);
});

it('reads what the highlighter writes, also over several lines', () => {
  const html = '<span class="hljs-keyword">const</span> a &lt; <span class="hljs-comment">/* one\ntwo */</span>\n';

  expect(tokenLines(html)).toEqual([
    [
      { text: 'const', look: 'hljs-keyword' },
      { text: ' a < ', look: null },
      { text: '/* one', look: 'hljs-comment' },
    ],
    [{ text: 'two */', look: 'hljs-comment' }],
    [],
  ]);
});

it('cuts tokens where marks begin and end', () => {
  const tokens = [
    { text: 'const', look: 'k' },
    { text: ' abc', look: null },
  ];

  expect(piecesOf(tokens, [{ from: 3, to: 7 }])).toEqual([
    { text: 'con', look: 'k', isMarked: false },
    { text: 'st', look: 'k', isMarked: true },
    { text: ' a', look: null, isMarked: true },
    { text: 'bc', look: null, isMarked: false },
  ]);
});
