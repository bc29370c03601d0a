import type { FeedEntry } from 'errand/client';

/** Lines that are shown at first. */
export const FIRST_LINES = 200;

/** What a command wrote. */
export interface Output {
  /** The command, or null for output that no command of the step explains. */
  readonly command: string | null;
  readonly lines: readonly string[];
}

/** The entries that were reported while a step went on. */
export function entriesOf(
  entries: readonly FeedEntry[],
  {
    execution_id,
    started_at,
    ended_at,
  }: { readonly execution_id: string; readonly started_at: string; readonly ended_at: string | null },
): readonly FeedEntry[] {
  return entries.filter(
    (entry) =>
      entry.execution_id === execution_id && entry.at >= started_at && (ended_at === null || entry.at <= ended_at),
  );
}

/** The lines of a text without the empty ones at its end. A pattern would look for that end anew at each empty line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** Each command of a step with what it wrote, in order. */
export function outputsOf(entries: readonly FeedEntry[]): readonly Output[] {
  const outputs: { command: string | null; text: string[] }[] = [];
  for (const { kind, text } of entries) {
    if (kind === 'command') outputs.push({ command: text, text: [] });
    if (kind !== 'output') continue;
    const last = outputs.at(-1);
    if (last === undefined) outputs.push({ command: null, text: [text] });
    else last.text.push(text);
  }
  return outputs.map(({ command, text }) => ({ command, lines: linesOf(text.join('\n')) }));
}

const BAD = /^\s*(?:[✗✘×]|FAIL(?:ED)?\b|(?:\w+)?(?:Error|Exception)\b|error(?:\[|:| )|fatal:|panic:)/;

/** Whether a line of output reports an error. */
export const isBad = (line: string): boolean => BAD.test(line);
