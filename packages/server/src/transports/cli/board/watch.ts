import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { tellEnding } from './ending.ts';
import { whyItWaits } from './executors.ts';
import { createFeedLines, labelled, waitingLines } from './feed-lines.ts';
import { createQuestionPrompts } from './questions.ts';

type Tail = AnswerOf<'tail_attempt'>;

/** Short, so that typed lines and Ctrl-C are noticed soon. */
const WAIT_MS = 1_000;

const isOver = ({ run_status, has_more }: Tail): boolean =>
  run_status !== 'queued' && run_status !== 'running' && !has_more;

/** The most that one answer holds. Earlier entries are only counted. */
const MAX_ENTRIES = 200;

/** Keeps the entries of the latest run: how earlier runs ended is not news. */
function ofLatestRun(tail: Tail): Tail {
  return { ...tail, entries: tail.entries.filter(({ execution_id }) => execution_id === tail.execution_id) };
}

const leftOut = ({ entries: [first] }: Tail): readonly string[] =>
  first === undefined || first.seq === 1 ? [] : labelled('…', `${first.seq - 1} earlier entries`);

/** Shows the entries of an attempt, or only those after a cursor, until its agent has ended. The exit code is 0 when it completed. */
export async function watch(cli: BoardCli, attempt_id: string, from?: string): Promise<number> {
  let isLeft = false;
  void cli.interrupted().then(() => {
    isLeft = true;
  });
  const typed = cli.json ? null : cli.listen();
  const questions = createQuestionPrompts(cli, attempt_id, typed);
  const linesOf = createFeedLines();

  const show = async (tail: Tail): Promise<void> => {
    if (cli.json) return cli.print(JSON.stringify(tail));
    const lines = linesOf(tail);
    if (lines.length > 0) cli.print(...lines);
    await questions.tend(tail.pending_approvals);
  };

  /** Shows what the feed leaves out: queued follow-ups and the number of earlier entries. */
  const tellBefore = async (tail: Tail): Promise<void> => {
    const { queue } = await cli.ask('get_attempt', { attempt_id, include: ['whole'] });
    const lines = [...waitingLines(queue), ...(from === undefined ? leftOut(tail) : [])];
    if (lines.length > 0) cli.print(...lines);
  };

  try {
    let tail =
      from === undefined
        ? ofLatestRun(await cli.ask('tail_attempt', { attempt_id, limit: MAX_ENTRIES }))
        : await cli.ask('tail_attempt', { attempt_id, after: from });
    if (!cli.json) await tellBefore(tail);
    await show(tail);
    const waiting = tail.run_status === 'queued' ? await whyItWaits(cli) : null;
    if (waiting !== null) cli.remark(waiting);
    while (!isOver(tail)) {
      if (isLeft) {
        cli.remark(`The agent goes on. Watch it again: errand watch ${attempt_id}. Stop it: errand stop ${attempt_id}`);
        return EXIT.failed;
      }
      const { after } = tail;
      tail = await cli.ask('tail_attempt', { attempt_id, after, wait_ms: WAIT_MS });
      const isNews = tail.after !== after;
      if (isNews || !cli.json) await show(tail);
    }
  } finally {
    typed?.close();
  }
  return tellEnding(cli, attempt_id);
}
