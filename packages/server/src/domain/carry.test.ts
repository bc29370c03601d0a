import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../test/e2e/counts.ts';
import { type CommentPlace, carry, changesIn } from './carry.ts';

const RUNS = times({ whole: 20_000, part: 500 });

type Edit = { readonly kind: 'keep' } | { readonly kind: 'remove' } | { readonly kind: 'add'; readonly text: string };

/** The hunks of an edit script without context lines, as git prints them. */
function patchOf(before: readonly string[], edits: readonly Edit[], rename: string | null): string {
  let [old_line, new_line] = [0, 0];
  const hunks: string[] = [];
  let open: { old_start: number; new_start: number; minus: string[]; plus: string[] } | null = null;
  const close = (): void => {
    if (open === null) return;
    const { old_start, new_start, minus, plus } = open;
    // With no lines on a side, git names the line before.
    const start = (first: number, count: number) => (count === 0 ? first - 1 : first);
    hunks.push(
      `@@ -${start(old_start, minus.length)},${minus.length} +${start(new_start, plus.length)},${plus.length} @@`,
      ...minus.map((line) => `-${line}`),
      ...plus.map((line) => `+${line}`),
    );
    open = null;
  };
  for (const edit of edits) {
    if (edit.kind === 'keep') {
      close();
      [old_line, new_line] = [old_line + 1, new_line + 1];
      continue;
    }
    open ??= { old_start: old_line + 1, new_start: new_line + 1, minus: [], plus: [] };
    if (edit.kind === 'remove') open.minus.push(before[old_line++] ?? '');
    else {
      open.plus.push(edit.text);
      new_line += 1;
    }
  }
  close();
  const to = rename ?? 'a.ts';
  const head = [`diff --git a/a.ts b/${to}`, ...(rename === null ? [] : ['rename from a.ts', `rename to ${to}`])];
  return [...head, ...(hunks.length === 0 ? [] : ['--- a/a.ts', `+++ b/${to}`]), ...hunks, ''].join('\n');
}

/** Applies the script: each line that stays keeps its mark, which is its number before. */
function model(edits: readonly Edit[]): { readonly now: ReadonlyMap<number, number>; readonly length: number } {
  const now = new Map<number, number>();
  let [old_line, length] = [0, 0];
  for (const { kind } of edits) {
    if (kind !== 'add') old_line += 1;
    if (kind !== 'remove') length += 1;
    if (kind === 'keep') now.set(old_line, length);
  }
  return { now, length };
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Edit>({ kind: 'keep' }) },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'remove' }) },
  // Texts that look like parts of a patch must not disturb it.
  {
    weight: 1,
    arbitrary: fc.constantFrom('++ b/x', '@@ -1 +1 @@', '-- a/x', '').map((text): Edit => ({ kind: 'add', text })),
  },
);

const AT: CommentPlace = { path: 'a.ts', line: 1, is_outdated: false };

describe('[L-REVIEW] carrying a comment along', () => {
  it('follows every line that stays, and says of each other line that it is outdated', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), fc.constantFrom(null, 'b.ts'), (edits, rename) => {
        const count = edits.filter(({ kind }) => kind !== 'add').length;
        const before = Array.from({ length: count }, (_, i) => `line${i + 1} of the file`);
        const diff = changesIn(patchOf(before, edits, rename));
        const { now, length } = model(edits);

        for (const [i, text] of before.entries()) {
          const place = carry({ ...AT, line: i + 1 }, text, diff);
          const line = now.get(i + 1);
          if (line !== undefined) expect(place).toEqual({ path: rename ?? 'a.ts', line, is_outdated: false });
          else {
            expect(place).toMatchObject({ path: rename ?? 'a.ts', is_outdated: true });
            expect(place.line).toBeGreaterThanOrEqual(1);
            expect(place.line).toBeLessThanOrEqual(Math.max(1, length));
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('brings a line back to its place when a change is undone', () => {
    const grown = changesIn(
      patchOf(['a', 'b', 'c'], [{ kind: 'add', text: 'x' }, { kind: 'keep' }, { kind: 'keep' }], null),
    );
    const shrunk = changesIn(patchOf(['x', 'a', 'b', 'c'], [{ kind: 'remove' }, { kind: 'keep' }], null));

    const there = carry({ ...AT, line: 2 }, 'b', grown);

    expect(there.line).toBe(3);
    expect(carry(there, 'b', shrunk)).toEqual({ ...AT, line: 2 });
  });

  const changed = (before: readonly string[], after: readonly string[]) =>
    changesIn(
      patchOf(
        before,
        [...before.map(() => ({ kind: 'remove' }) as const), ...after.map((text) => ({ kind: 'add', text }) as const)],
        null,
      ),
    );

  it.each([
    ['the same text, indented anew', ['  const a = 1;'], ['if (b) {', '    const a = 1;', '}'], 2, false],
    ['the nearest of equal lines', ['a', 'b', 'return x;'], ['return x;', 'c', 'return x;'], 3, false],
    [
      'a line with most of its words',
      ['log', 'const total = sum(rows);'],
      ['log(1)', 'const total = sum(rows, 2);'],
      2,
      false,
    ],
    ['nothing like it', ['alpha', 'beta'], ['gamma', 'delta'], 1, true],
    ['no line at all', ['alpha', 'beta'], [], 1, true],
    ['a bracket only', ['}', '}'], ['else', ')'], 1, true],
  ])('finds a line in a rewritten part: %s', (_, before, after, line, is_outdated) => {
    const text = before.at(-1) ?? '';

    expect(carry({ ...AT, line: before.length }, text, changed(before, after))).toEqual({ ...AT, line, is_outdated });
  });

  it('is outdated in a removed file, and not when the file is back with its line', () => {
    const removed = changesIn(
      'diff --git a/a.ts b/a.ts\ndeleted file mode 100644\n--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    );
    const back = changesIn(
      'diff --git a/a.ts b/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2 @@\n+y\n+x\n',
    );

    const gone = carry(AT, 'x', removed);

    expect(gone).toEqual({ path: 'a.ts', line: null, is_outdated: true });
    expect(carry(gone, 'other', back)).toEqual(gone);
    expect(carry(gone, 'x', back)).toEqual({ path: 'a.ts', line: 2, is_outdated: false });
  });

  it('is no longer outdated when a later change brings the line back', () => {
    const away = carry({ ...AT, line: 2 }, 'keep me', changed(['a', 'keep me'], ['a', 'else']));
    const back = carry(away, 'keep me', changed(['a', 'else'], ['a', 'b', 'keep me']));

    expect([away.is_outdated, back]).toEqual([true, { ...AT, line: 3 }]);
  });

  it('stays where it is when its file did not change', () => {
    const outdated = { path: 'b.ts', line: 7, is_outdated: true };

    expect(carry(outdated, 'x', changed(['x'], ['y']))).toBe(outdated);
  });

  it('comes to an end with 500 comments on lines of half a million characters, and on 60,000 changed parts', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `${at} ${'lorem ipsum '.repeat(40_000)}${at}`);
    const long = changed(lines, lines.toReversed());
    const rewritten = Array.from({ length: 80_000 }, (_, at) => `w${at}`).join(' ');
    const parts = Array.from({ length: 60_000 }, (_, at) => [`@@ -${2 * at + 1} +${2 * at + 1} @@`, '-a b', '+c d']);
    const many = changesIn(['diff --git a/a.ts b/a.ts', '--- a/a.ts', '+++ b/a.ts', ...parts.flat()].join('\n'));

    for (let at = 0; at < 500; at++) {
      const place = { ...AT, line: 1 + (at % lines.length) };
      expect(carry(place, lines[at % lines.length] ?? '', long)).toEqual({ ...AT, line: 60 - (at % lines.length) });
      expect(carry(place, rewritten, long)).toEqual({ ...AT, is_outdated: true });
      const outdated = { ...AT, line: 120_000 - 2 * at, is_outdated: true };
      expect(carry(outdated, 'gone', many)).toEqual(outdated);
    }
  });

  it('is outdated in a changed part when the text of its line is not known', () => {
    expect(carry(AT, null, changed(['x'], ['x']))).toEqual({ ...AT, is_outdated: true });
  });
});
