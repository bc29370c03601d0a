import type { AnswerOf } from './board-cli.ts';
import { shortId } from './names.ts';
import { plain, plainLine } from './plain.ts';

type Tail = AnswerOf<'tail_attempt'>;
type Entry = Tail['entries'][number];
type Step = NonNullable<Tail['steps']>[number];

const COLUMN = 10;
const LABELS: Readonly<Partial<Record<Entry['kind'], string>>> = { tool_call: 'tool' };

/** A text after a label; further lines are indented to where the text began. */
export const labelled = (label: string, text: string): readonly string[] =>
  plain(text)
    .trimEnd()
    .split('\n')
    .map((line, i) => ((i === 0 ? label : '').padEnd(COLUMN) + line).trimEnd());

/** The queued follow-ups, each with the id that cancels it. */
export const waitingLines = (queue: AnswerOf<'get_attempt'>['queue']): readonly string[] =>
  queue.flatMap(({ queued_id, prompt }) =>
    labelled(
      'waits',
      `${shortId(
        queued_id,
        queue.map((other) => other.queued_id),
      )}  ${plainLine(prompt)}`,
    ),
  );

const entryLines = ({ kind, text }: Entry): readonly string[] => labelled(LABELS[kind] ?? kind, text);

const stepText = ({ name, status, message }: Step): string =>
  message === null ? `${name}: ${status}` : `${name}: ${status}, ${message}`;

/** Turns the answers of `tail_attempt` into lines. A step is shown again when it has changed. */
export function createFeedLines(): (tail: Tail) => readonly string[] {
  const printed = new Map<string, string>();
  return ({ entries, steps = [], pending_approvals }) => {
    // An open question is shown by `createQuestionPrompts`, with the ways to answer it.
    const shown = entries.filter(({ kind }) => kind !== 'question' || pending_approvals === 0);
    const changed = steps.filter((step) => printed.get(step.step_id) !== stepText(step));
    for (const step of changed) printed.set(step.step_id, stepText(step));
    return [...shown.flatMap(entryLines), ...changed.flatMap((step) => labelled('step', stepText(step)))];
  };
}
