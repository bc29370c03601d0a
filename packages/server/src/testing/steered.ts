import { setImmediate } from 'node:timers/promises';
import type { AttemptId } from '#domain/ids';
import type { Outcome } from '#gateway/gateway';
import { aBoard, aWorker } from '#testing/attempts';
import type { World } from '#testing/world';

/** A message as an answer carries it. */
export interface CarriedMessage {
  readonly message_id: string;
  readonly from: string;
  readonly text: string;
  readonly at: string;
}

const messagesIn = (outcome: Outcome): readonly CarriedMessage[] => {
  if (!outcome.ok) throw new Error(`refused: ${outcome.error.code}`);
  // Written by the gateway.
  return outcome.messages === undefined ? [] : (JSON.parse(outcome.messages) as CarriedMessage[]);
};

interface AgentCall {
  readonly name?: string;
  readonly input?: object;
  readonly signal?: AbortSignal;
  /** Called when the gateway has answered, before the answer leaves. */
  readonly answered?: () => void;
}

/** An attempt whose agent runs and calls tools with its token. */
export async function aSteeredRun(world: World) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const { attempt_id } = await board.start();
  const run = await worker.take();
  await worker.beginSpawn(run);
  const caller = await world.gateway.authenticate(run.secret);
  const { gateway, time } = world;

  /** A call of the agent, a millisecond after everything before it; the messages that its answer carries. */
  const callFrom = async (
    of: World['gateway'],
    { name = 'get_context', input = {}, signal, answered }: AgentCall = {},
  ): Promise<readonly CarriedMessage[]> => {
    const tool = of.find(name, 'all');
    if (tool === undefined) throw new Error(`no tool ${name}`);
    time.now += 1;
    const outcome = await of.dispatch({ caller, tool, input, transport: 'mcp-http', carries: true, signal });
    answered?.();
    // As long as a transport takes to send it.
    await setImmediate();
    return messagesIn(outcome);
  };

  return {
    ...board,
    worker,
    run,
    caller,
    // Made by `start_task_attempt`.
    attempt_id: attempt_id as AttemptId,
    callFrom,
    hear: (options?: Parameters<typeof callFrom>[1]) => callFrom(gateway, options),
    tell: (text: string) => world.ask('send_message', { attempt_id, text }),
    statuses: async (): Promise<readonly unknown[]> => {
      const { messages } = await world.ask('get_attempt', { attempt_id, include: ['whole'] });
      // As the tool declares it.
      return (messages as { status: string }[]).map(({ status }) => status);
    },
  };
}
