import type { Range } from './words.ts';

/** A piece of code and its CSS class, by its kind; null for plain code. */
export interface Token {
  readonly text: string;
  readonly look: string | null;
}

const PIECE = /<span class="(?<look>[^"]*)">|(?<end><\/span>)|(?<text>[^<]+)/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Reads what the highlighter writes, line by line. It is never put into the page as it is: only these texts are. */
export function tokenLines(html: string): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  const looks: string[] = [];
  for (const { groups = {} } of html.matchAll(PIECE)) {
    if (groups.look !== undefined) looks.push(groups.look);
    else if (groups.end !== undefined) looks.pop();
    else {
      const look = looks.at(-1) ?? null;
      unescaped(groups.text ?? '')
        .split('\n')
        .forEach((text, at) => {
          if (at > 0) lines.push([]);
          if (text !== '') lines.at(-1)?.push({ text, look });
        });
    }
  }
  return lines;
}

/** A piece of a line: code, marked where its words have changed. */
export interface Piece extends Token {
  readonly isMarked: boolean;
}

/** Cuts tokens where marks begin and end. */
export function piecesOf(tokens: readonly Token[], marks: readonly Range[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const { text, look } of tokens) {
    const end = start + text.length;
    const inner = marks.flatMap(({ from, to }) => [from, to]).filter((at) => at > start && at < end);
    const cuts = [start, ...inner.toSorted((one, other) => one - other), end];
    cuts.slice(0, -1).forEach((from, at) => {
      const to = cuts[at + 1] ?? end;
      if (to === from) return;
      const isMarked = marks.some((mark) => from >= mark.from && to <= mark.to);
      pieces.push({ text: text.slice(from - start, to - start), look, isMarked });
    });
    start = end;
  }
  return pieces;
}
