import { useEffect, useState } from 'react';
import { languageOf } from './language.ts';
import type { DiffLine, Hunk } from './patch.ts';
import type { Token } from './tokens.ts';

export type Highlights = ReadonlyMap<DiffLine, readonly Token[]>;

const NONE: Highlights = new Map();

/** The code of each line with its looks. Each side of a hunk is highlighted as a whole, once the language is loaded. */
export function useHighlight(path: string, hunks: readonly Hunk[]): Highlights {
  const [highlights, setHighlights] = useState(NONE);
  useEffect(() => {
    const language = languageOf(path);
    if (language === null) return;
    let isCurrent = true;
    async function load(name: string): Promise<void> {
      const { highlighted } = await import('./highlight.ts');
      const found = new Map<DiffLine, readonly Token[]>();
      for (const { lines } of hunks) {
        for (const side of [lines.filter(({ kind }) => kind !== 'add'), lines.filter(({ kind }) => kind !== 'del')]) {
          const tokens = await highlighted(
            name,
            side.map(({ text }) => text),
          );
          for (const [at, line] of side.entries()) {
            found.set(line, tokens?.[at] ?? [{ text: line.text, look: null }]);
          }
        }
      }
      if (isCurrent) setHighlights(found);
    }
    // Without its colours code is still read.
    load(language).catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [path, hunks]);
  return highlights;
}
