import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, Desk } from './desk.ts';
import { tellEnding } from './ending.ts';
import { whyItWaits } from './executors.ts';
import { createFeedLines } from './feed-lines.ts';
import { createQuestions } from './questions.ts';

type Tail = AnswerOf<'tail_attempt'>;

/** So short that what is typed, and Ctrl-C, are heeded soon. */
const WAIT_MS = 1_000;

const isOver = ({ run_status, has_more }: Tail): boolean =>
  run_status !== 'queued' && run_status !== 'running' && !has_more;

/** Shows what happens in an attempt, or only what comes after a place in it, until its agent has ended: exit code 0 when it has completed. */
export async function watch(desk: Desk, attempt_id: string, from?: string): Promise<number> {
  let isLeft = false;
  void desk.interrupted().then(() => {
    isLeft = true;
  });
  const typed = desk.json ? null : desk.listen();
  const questions = createQuestions(desk, attempt_id, typed);
  const linesOf = createFeedLines();

  const show = async (tail: Tail): Promise<void> => {
    if (desk.json) return desk.print(JSON.stringify(tail));
    const lines = linesOf(tail);
    if (lines.length > 0) desk.print(...lines);
    await questions.tend(tail.pending_approvals);
  };

  try {
    let tail = await desk.ask('tail_attempt', { attempt_id, ...(from !== undefined && { after: from }) });
    await show(tail);
    const waiting = tail.run_status === 'queued' ? await whyItWaits(desk) : null;
    if (waiting !== null) desk.remark(waiting);
    while (!isOver(tail)) {
      if (isLeft) {
        desk.remark(
          `The agent goes on. Watch it again: errand watch ${attempt_id}. Stop it: errand stop ${attempt_id}`,
        );
        return EXIT.failed;
      }
      const { after } = tail;
      tail = await desk.ask('tail_attempt', { attempt_id, after, wait_ms: WAIT_MS });
      const isNews = tail.after !== after;
      if (isNews || !desk.json) await show(tail);
    }
  } finally {
    typed?.close();
  }
  return tellEnding(desk, attempt_id);
}
