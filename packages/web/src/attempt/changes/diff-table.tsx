import { Fragment, type ReactNode, useMemo, useState } from 'react';
import type { ReviewComment } from '../../api/attempts.ts';
import { plural } from '../../text/words.ts';
import { Icon } from '../../ui/icon.tsx';
import { CodeLine } from './code-line.tsx';
import { type DiffLine, type Hunk, lineCount, splitRows } from './patch.ts';
import { Thread } from './thread.tsx';
import { useHighlight } from './use-highlight.ts';
import { markedWords, type Range } from './words.ts';

/** Lines that are drawn at once; the rest comes on demand. */
const PART = 1_000;

export type Side = 'new' | 'old';

interface DiffTableProps {
  readonly path: string;
  readonly hunks: readonly Hunk[];
  readonly isSplit: boolean;
  readonly comments: readonly ReviewComment[];
  /** Where a comment is being written. */
  readonly writing: { readonly side: Side; readonly line: number } | null;
  readonly box: ReactNode;
  readonly onWrite: (side: Side, line: number) => void;
}

const LOOKS = { same: undefined, add: 'ins', del: 'rem' } as const;

/** The first lines of the hunks, at most `most`. */
function firstLines(hunks: readonly Hunk[], most: number): readonly Hunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    if (left <= 0) return [];
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return [{ ...hunk, lines }];
  });
}

/** The changed lines of a file, one below the other or side by side. */
export function DiffTable({ path, hunks, isSplit, comments, writing, box, onWrite }: DiffTableProps) {
  const [most, setMost] = useState(PART);
  const shown = useMemo(() => firstLines(hunks, most), [hunks, most]);
  const highlights = useHighlight(path, hunks);
  const marks = useMemo(() => {
    const all = new Map<DiffLine, readonly Range[]>();
    for (const { lines } of shown) for (const [line, ranges] of markedWords(lines)) all.set(line, ranges);
    return all;
  }, [shown]);
  const columns = isSplit ? 4 : 3;
  const left = lineCount({ hunks, isBinary: false }) - lineCount({ hunks: shown, isBinary: false });

  const code = (line: DiffLine) => <CodeLine text={line.text} tokens={highlights.get(line)} marks={marks.get(line)} />;
  const number = (side: Side, line: number | null) =>
    line === null ? null : (
      <button
        className="ln-add"
        type="button"
        aria-label={`Comment on ${side === 'old' ? 'old line' : 'line'} ${line}`}
        onClick={() => onWrite(side, line)}
      >
        {line}
      </button>
    );
  const below = (lines: readonly (readonly [side: Side, line: number | null])[]) =>
    lines.map(([side, line]) => {
      const said = line === null ? [] : comments.filter((each) => each.side === side && each.line === line);
      const isHere = writing !== null && writing.side === side && writing.line === line;
      if (said.length === 0 && !isHere) return null;
      return (
        <tr key={`${side} ${line}`} className="talk">
          <td colSpan={columns}>
            {said.length === 0 ? null : <Thread comments={said} />}
            {isHere ? box : null}
          </td>
        </tr>
      );
    });

  return (
    <table className={isSplit ? 'split' : undefined}>
      <colgroup>
        <col className="ln" />
        {isSplit ? <col /> : <col className="ln" />}
        {isSplit ? <col className="ln" /> : null}
        <col />
      </colgroup>
      <tbody>
        {shown.map(({ header, lines }) => (
          <Fragment key={header}>
            <tr className="hunk">
              <td colSpan={columns}>{header.replace('@@ -', '@@ −')}</td>
            </tr>
            {isSplit
              ? splitRows(lines).map(({ left: one, right: other }) => (
                  <Fragment key={`${one?.old ?? ''} ${other?.new ?? ''}`}>
                    <tr>
                      <td className={one === null ? 'none' : LOOKS[one.kind]}>{number('old', one?.old ?? null)}</td>
                      <td className={one === null ? 'none' : LOOKS[one.kind]}>{one === null ? null : code(one)}</td>
                      <td className={other === null ? 'none' : LOOKS[other.kind]}>
                        {number('new', other?.new ?? null)}
                      </td>
                      <td className={other === null ? 'none' : LOOKS[other.kind]}>
                        {other === null ? null : code(other)}
                      </td>
                    </tr>
                    {below([
                      ['old', one?.old ?? null],
                      ['new', other?.new ?? null],
                    ])}
                  </Fragment>
                ))
              : lines.map((line) => (
                  <Fragment key={`${line.old ?? ''} ${line.new ?? ''}`}>
                    <tr className={LOOKS[line.kind]}>
                      <td>{line.kind === 'del' ? number('old', line.old) : line.old}</td>
                      <td>{number('new', line.new)}</td>
                      <td>{code(line)}</td>
                    </tr>
                    {below([
                      ['old', line.old],
                      ['new', line.new],
                    ])}
                  </Fragment>
                ))}
          </Fragment>
        ))}
        {left === 0 ? null : (
          <tr className="hunk more">
            <td colSpan={columns}>
              <button type="button" onClick={() => setMost(most + 5 * PART)}>
                <Icon name="fold" />
                Show {plural(left, 'more line', 'more lines')}
              </button>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
