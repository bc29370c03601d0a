import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { waitingLines } from './feed-lines.ts';
import { shortId } from './names.ts';
import { watch } from './watch.ts';

export interface FollowUpOrder {
  readonly attempt_id: string;
  readonly text?: string;
  readonly queue?: boolean;
  /** True to cancel all that wait, or the id of one. */
  readonly cancel?: boolean | string;
  readonly wait?: boolean;
}

const refuse = (message: string): ErrandError => new ErrandError('validation_error', message);

function inputOf({ attempt_id, text, queue = false, cancel = false, wait = false }: FollowUpOrder) {
  if (cancel === false) {
    if (text === undefined) throw refuse('Say what the agent should do: errand follow-up ATTEMPT-ID "text".');
    return { attempt_id, action: queue ? ('queue' as const) : ('send' as const), prompt: text };
  }
  if (text !== undefined || queue || wait) throw refuse('--cancel takes back what waits: it goes with no text.');
  return { attempt_id, action: 'cancel' as const, ...(typeof cancel === 'string' && { queued_id: cancel }) };
}

function cancelLines({ cancelled = 0, queue }: AnswerOf<'follow_up'>, isOne: boolean): readonly string[] {
  const none = isOne ? 'It does not wait any more: it has begun, or was taken back before.' : 'Nothing was waiting.';
  return [cancelled === 0 ? none : `Taken back: ${cancelled}.`, ...waitingLines(queue)];
}

function sentLines({ queued_id, queue }: AnswerOf<'follow_up'>, attempt: string): readonly string[] {
  const watching = `errand watch ${attempt}`;
  const ids = queue.map((queued) => queued.queued_id);
  if (queued_id === undefined) return [`The agent goes on. Watch it: ${watching}`];
  return [
    ...waitingLines(queue),
    '',
    `Watch the agent:  ${watching}`,
    `Take this back:   errand follow-up ${attempt} --cancel ${shortId(queued_id, ids)}`,
  ];
}

export async function followUp(cli: BoardCli, order: FollowUpOrder): Promise<number> {
  const input = inputOf(order);
  const { attempt_id, wait, cancel = false } = order;
  // Entries from before the follow-up are skipped: the person has seen them.
  const before = wait ? await cli.ask('tail_attempt', { attempt_id, limit: 1 }) : null;
  const answer = await cli.ask('follow_up', input);
  if (cli.json) cli.print(JSON.stringify(answer));
  else if (cancel !== false) cli.print(...cancelLines(answer, cancel !== true));
  else if (before === null) cli.print(...sentLines(answer, attempt_id));
  return before === null ? EXIT.ok : watch(cli, attempt_id, before.after);
}
