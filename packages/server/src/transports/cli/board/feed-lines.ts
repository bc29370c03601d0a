import type { AnswerOf } from './board-cli.ts';
import { plain, plainLine } from './plain.ts';

type Tail = AnswerOf<'tail_attempt'>;
type Entry = Tail['entries'][number];
type Step = NonNullable<Tail['steps']>[number];

const COLUMN = 10;
const LABELS: Readonly<Partial<Record<Entry['kind'], string>>> = { tool_call: 'tool' };

/** A text under a word that says what it is; further lines go on below where it began. */
export const labelled = (label: string, text: string): readonly string[] =>
  plain(text)
    .trimEnd()
    .split('\n')
    .map((line, i) => ((i === 0 ? label : '').padEnd(COLUMN) + line).trimEnd());

/** The follow-ups that wait, each with the id by which it is taken back. */
export const waitingLines = (queue: AnswerOf<'get_attempt'>['queue']): readonly string[] =>
  queue.flatMap(({ queued_id, prompt }) => labelled('waits', `${queued_id}  ${plainLine(prompt)}`));

const entryLines = ({ kind, text }: Entry): readonly string[] => labelled(LABELS[kind] ?? kind, text);

const stepText = ({ name, status, message }: Step): string =>
  message === null ? `${name}: ${status}` : `${name}: ${status}, ${message}`;

/** Turns what a tail answers into lines, each step as often as it has changed. */
export function createFeedLines(): (tail: Tail) => readonly string[] {
  const told = new Map<string, string>();
  return ({ entries, steps = [], pending_approvals }) => {
    // A question that waits is shown with the ways to answer it.
    const shown = entries.filter(({ kind }) => kind !== 'question' || pending_approvals === 0);
    const changed = steps.filter((step) => told.get(step.step_id) !== stepText(step));
    for (const step of changed) told.set(step.step_id, stepText(step));
    return [...shown.flatMap(entryLines), ...changed.flatMap((step) => labelled('step', stepText(step)))];
  };
}
