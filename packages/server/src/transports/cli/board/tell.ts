import type { BoardCli, InputOf } from './board-cli.ts';

export type TellOrder = InputOf<'send_message'>;

/** Sends a message to the agent of an attempt, also while it works. */
export const tellAgent = (cli: BoardCli, order: TellOrder): Promise<number> =>
  cli.call('send_message', order, ({ status, execution_id }) => [
    execution_id === undefined
      ? `${status}: ${order.interrupt ? 'the agent stops what it does and goes on with it.' : 'the agent reads it with its next tool call, or when it goes on.'}`
      : `The agent goes on with it. Watch it: errand watch ${order.attempt_id}`,
  ]);
