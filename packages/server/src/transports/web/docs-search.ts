import type { DocSection } from './docs.ts';
import { slug } from './docs-page.ts';

/** A part of the documentation that holds the words. */
export interface FoundDoc {
  /** The heading of the part. */
  readonly title: string;
  /** The page that it is on. */
  readonly page: string;
  readonly address: string;
  /** The line with the words. */
  readonly line: string;
}

const MAX_FOUND = 30;
const MAX_QUERY = 100;
const MAX_LINE = 160;

interface Part {
  readonly heading: string;
  readonly lines: readonly string[];
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*|#>]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** A page by its headings. A line with # inside of code is no heading. */
function partsOf(text: string): readonly Part[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, heading] = (isCode ? null : /^#{1,3} (.+)$/.exec(line)) ?? [];
    if (heading === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ heading, lines: [] });
  }
  return parts;
}

/** Whether a word of the text begins so. "a" within another word says nothing about what a part is about. */
const begins = (text: string, word: string): boolean =>
  ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${word}`);

/** Words in a heading count for more than words in a text, words side by side for more than apart. */
function rankOf({ heading, lines }: Part, words: readonly string[]): number {
  const [head, body] = [heading.toLowerCase(), lines.join('\n').toLowerCase()];
  if (!words.every((word) => head.includes(word) || body.includes(word))) return 0;
  const isTogether = words.length > 1 && [head, body].some((text) => text.includes(words.join(' ')));
  return 1 + 10 * words.filter((word) => begins(head, word)).length + (isTogether ? 5 : 0);
}

/** The parts of the documentation that hold all words, the nearest first. */
export function searchDocs(sections: readonly DocSection[], query: string): readonly FoundDoc[] {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = sections.flatMap(({ pages }) =>
    pages.flatMap(({ name, title, text }) =>
      partsOf(text).flatMap((part) => {
        const rank = rankOf(part, words);
        if (rank === 0) return [];
        const line = part.lines.find((each) => words.some((word) => each.toLowerCase().includes(word)));
        const place = slug(plain(part.heading));
        const doc: FoundDoc = {
          title: plain(part.heading),
          page: title,
          address: `/docs/${name}${plain(part.heading) === title ? '' : `#${place}`}`,
          line: plain(line ?? part.lines.find((each) => each.trim() !== '') ?? '').slice(0, MAX_LINE),
        };
        return [{ rank, doc }];
      }),
    ),
  );
  return found
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MAX_FOUND)
    .map(({ doc }) => doc);
}
