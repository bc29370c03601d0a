import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { nameOf } from './names.ts';
import { plainLine } from './plain.ts';
import { stateWord, styleOfWord } from './states.ts';
import { tableOf } from './table.ts';

export interface CompareOrder {
  readonly task_id: string;
  /** The attempt to go on with. */
  readonly choose?: string;
}

type Compared = AnswerOf<'compare_attempts'>['attempts'][number];

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** A time as a clock shows it: 6:12, or 1:04:09 from an hour on. */
export function clockOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = twoDigits(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${rest}`;
}

export const costOf = (cost_usd: number | null): string => (cost_usd === null ? '-' : `${cost_usd.toFixed(2)} USD`);

const rowOf = (attempt: Compared): Readonly<Record<string, string>> => ({
  attempt: nameOf(attempt.key, attempt.attempt_id),
  executor: plainLine(attempt.executor ?? '-'),
  state: stateWord(attempt.state),
  checks: attempt.verdict ?? '-',
  files: String(attempt.files),
  lines: `+${attempt.added} -${attempt.removed}`,
  time: clockOf(attempt.seconds),
  cost: costOf(attempt.cost_usd),
});

const styleOf = (column: string, text: string) =>
  column === 'state' || column === 'checks' ? styleOfWord(text) : null;

function comparedLines(
  cli: BoardCli,
  { attempts, left_out = 0 }: AnswerOf<'compare_attempts'>,
  task: string,
): readonly string[] {
  if (attempts.length === 0) return [`No attempts yet. Have an agent work on it: errand run ${task}`];
  return [
    ...tableOf(cli, attempts.map(rowOf), { styleOf }),
    ...(left_out === 0 ? [] : ['', `${left_out} older attempts are not shown.`]),
  ];
}

function chosenLine({ key, attempt_id, archived }: AnswerOf<'choose_attempt'>): string {
  const others = archived.map((other) => nameOf(other.key, other.attempt_id));
  const [first] = others;
  if (first === undefined) return `${nameOf(key, attempt_id)} is chosen. No other was open.`;
  return `${nameOf(key, attempt_id)} is chosen. ${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} archived; the branches stay.`;
}

/** Shows the attempts at a task side by side, or goes on with one of them and archives the others. */
export async function compareAttempts(cli: BoardCli, { task_id, choose }: CompareOrder): Promise<number> {
  if (choose !== undefined) {
    const answer = await cli.ask('choose_attempt', { attempt_id: choose });
    cli.tell(answer, chosenLine(answer));
    return EXIT.ok;
  }
  const answer = await cli.ask('compare_attempts', { task_id });
  cli.tell(answer, ...comparedLines(cli, answer, task_id));
  return EXIT.ok;
}
