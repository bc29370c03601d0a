import { ErrandError } from '#errors';
import { CHECKED_AGAIN } from '#tools/board/list-executors';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { plainLine } from './plain.ts';

type Executor = AnswerOf<'list_executors'>['executors'][number];

const NONE = 'No agent is offered here.';
const OWN =
  'Or use a program of your own: name it under "executors" in config.json of the data folder, and start the server again. docs/guide/runner.md shows how.';

/** One line, and below it why the executor is not ready: both would not fit on one. */
function linesOf(executor: Executor, column: number): readonly string[] {
  const { title, version, variants, is_ready, problem } = executor;
  const name = plainLine(version === null ? title : `${title} ${version}`);
  const more = variants.length === 0 ? '' : ` (variants: ${variants.map(plainLine).join(', ')})`;
  return [
    `${plainLine(executor.executor).padEnd(column)}  ${name}${more}, ${is_ready ? 'ready' : 'not ready'}`,
    ...(is_ready ? [] : [`${' '.repeat(column)}  ${plainLine(problem ?? 'It does not say why.')}`]),
  ];
}

/** Ready executors first. */
function lines(executors: readonly Executor[]): readonly string[] {
  const column = Math.max(0, ...executors.map(({ executor }) => executor.length));
  return executors
    .toSorted((a, b) => Number(b.is_ready) - Number(a.is_ready))
    .flatMap((executor) => linesOf(executor, column));
}

/** The output of `errand executors`. */
export const executorLines = ({ executors, note = NONE }: AnswerOf<'list_executors'>): readonly string[] =>
  executors.length === 0 ? [note] : lines(executors);

/** Returns why a queued run does not start; null when a worker can start it. */
export async function whyItWaits(cli: BoardCli): Promise<string | null> {
  const { executors, note = NONE } = await cli.ask('list_executors', {});
  return executors.length === 0 ? note : null;
}

type Wanted = Partial<Pick<InputOf<'start_task_attempt'>, 'executor' | 'variant'>>;

function chosen(executors: readonly Executor[], typed: string | undefined): Executor {
  const hint = lines(executors).join('\n');
  const named = executors.find(({ executor }) => executor === typed);
  if (named !== undefined) return named;
  if (typed !== undefined) {
    throw new ErrandError('validation_error', `There is no agent ${JSON.stringify(typed)}.`, { hint });
  }
  const [first, ...others] = executors.filter(({ is_ready }) => is_ready);
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined)
    throw new ErrandError('executor_unavailable', 'No agent is ready.', { hint: `${hint}\n${CHECKED_AGAIN}\n${OWN}` });
  throw new ErrandError('validation_error', 'Several agents are ready: choose one with --executor.', { hint });
}

/** Returns the agent to use: the one that was typed, or the only ready one. Refuses an agent that cannot run, before anything is created. */
export async function executorOf(cli: BoardCli, { executor: typed, variant }: Wanted): Promise<string> {
  const { executors, note = NONE } = await cli.ask('list_executors', {});
  if (executors.length === 0) throw new ErrandError('executor_unavailable', note);
  const offered = chosen(executors, typed);
  const { executor, is_ready, problem, variants } = offered;
  if (!is_ready) {
    throw new ErrandError('executor_unavailable', `${executor} is not ready: ${problem ?? 'it does not say why'}.`, {
      hint: CHECKED_AGAIN,
    });
  }
  if (variant !== undefined && !variants.includes(variant)) {
    throw new ErrandError('validation_error', `${executor} has no variant ${JSON.stringify(variant)}.`, {
      hint: linesOf(offered, 0).join('\n'),
    });
  }
  return executor;
}
