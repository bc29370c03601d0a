import { memo } from 'react';
import { piecesOf, type Token } from './tokens.ts';
import type { Range } from './words.ts';

interface CodeLineProps {
  readonly text: string;
  readonly tokens: readonly Token[] | undefined;
  readonly marks: readonly Range[] | undefined;
}

const NO_MARKS: readonly Range[] = [];

/** The code of a line, with its colours and its changed words. */
export const CodeLine = memo(function CodeLine({ text, tokens, marks = NO_MARKS }: CodeLineProps) {
  if (text === '') return <code> </code>;
  const pieces = piecesOf(tokens ?? [{ text, look: null }], marks);
  return (
    <code>
      {pieces.map(({ text: words, look, isMarked }, at) =>
        isMarked ? (
          <mark key={at}>{words}</mark>
        ) : look === null ? (
          words
        ) : (
          <span key={at} className={look}>
            {words}
          </span>
        ),
      )}
    </code>
  );
});
