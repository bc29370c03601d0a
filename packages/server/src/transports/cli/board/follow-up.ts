import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, Desk } from './desk.ts';
import { watch } from './watch.ts';

interface FollowUpOrder {
  readonly attempt_id: string;
  readonly text: string | undefined;
  readonly queue?: boolean | undefined;
  readonly cancel?: boolean | undefined;
  readonly wait?: boolean | undefined;
}

const refuse = (message: string): ErrandError => new ErrandError('validation_error', message);

function inputOf({ attempt_id, text, queue = false, cancel = false, wait = false }: FollowUpOrder) {
  if (!cancel) {
    if (text === undefined) throw refuse('Say what the agent should do: errand follow-up ATTEMPT-ID "text".');
    return { attempt_id, action: queue ? ('queue' as const) : ('send' as const), prompt: text };
  }
  if (text !== undefined || queue || wait) throw refuse('--cancel takes back what waits: it goes with no text.');
  return { attempt_id, action: 'cancel' as const };
}

function told({ attempt_id, cancelled, queued_id, queue }: AnswerOf<'follow_up'>): string {
  if (cancelled !== undefined) return cancelled === 0 ? 'Nothing was waiting.' : `Taken back: ${cancelled}.`;
  const watching = `Watch it: errand watch ${attempt_id}`;
  return queued_id === undefined ? `The agent goes on. ${watching}` : `It waits as number ${queue.length}. ${watching}`;
}

export async function followUp(desk: Desk, order: FollowUpOrder): Promise<number> {
  const input = inputOf(order);
  const { attempt_id, wait } = order;
  // What was there before the follow-up is known to whoever writes it.
  const before = wait ? await desk.ask('tail_attempt', { attempt_id, limit: 1 }) : null;
  const answer = await desk.ask('follow_up', input);
  if (desk.json) desk.print(JSON.stringify(answer));
  else if (before === null) desk.print(told(answer));
  return before === null ? EXIT.ok : watch(desk, attempt_id, before.after);
}

export async function stop(desk: Desk, attempt_id: string): Promise<number> {
  const answer = await desk.ask('stop_attempt', { attempt_id });
  const { stopping, cancelled } = answer;
  const back = cancelled === 0 ? '' : ` Follow-ups taken back: ${cancelled}.`;
  if (desk.json) desk.print(JSON.stringify(answer));
  else desk.print(`${stopping ? 'The agent is being stopped.' : 'No agent was at work.'}${back}`);
  return EXIT.ok;
}
