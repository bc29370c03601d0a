import { setTimeout } from 'node:timers/promises';
import { type ClientConnection, client, methods } from '@agentclientprotocol/sdk';
import type { AgentProcess, Answer, Job, Question, RunSink } from '#runner/executor';
import { cleanText, cutText } from '#runner/executors/clean-text';
import { createNarration, type Narration } from '#runner/executors/narration';
import { elicitationQuestion, elicitationResponse, permissionQuestion, permissionResponse } from './questions.ts';
import { chunkIn, costIn, createUpdateReader } from './read-update.ts';
import { openStream } from './stream.ts';
import { createToolCalls } from './tool-calls.ts';

const MAX_LINE_CHARACTERS = 4_000;
const QUIET_MS = 500;
const MAX_REPLAY_MS = 10_000;

/** Resolves to null when the signal is aborted, at once if it already is. */
export const whenAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });

export interface AgentConnection {
  readonly connection: ClientConnection;
  readonly narration: Narration;
  /** From here on updates belong to this run. Before, the agent repeats its history. */
  readonly listen: () => void;
  /** Resolves when the agent has stopped repeating: some continue after they have reported the session as loaded. */
  readonly replayed: () => Promise<void>;
  /** The last piece of a message, if the agent did nothing after it; else null. */
  readonly lastChunk: () => string | null;
  /** The cost of this run so far in US dollars; null when the agent does not report it. */
  readonly cost: () => number | null;
}

/** Connects to an agent. Its updates and its questions go to the sink. */
export function connect(process: AgentProcess, job: Job, sink: RunSink): AgentConnection {
  const narration = createNarration(sink);
  const toolCalls = createToolCalls();
  const read = createUpdateReader(narration, toolCalls);
  let isListening = false;
  let updatedAt = 0;
  let lastChunk: string | null = null;
  let spentBefore = 0;
  let spent: number | null = null;

  const takeUpdate = (params: unknown): void => {
    updatedAt = performance.now();
    const chunk = isListening ? chunkIn(params) : undefined;
    if (chunk !== undefined) lastChunk = chunk;
    const usd = costIn(params);
    if (usd !== null && isListening) {
      spent = usd;
      // As it comes: a budget must not wait for the end of the turn.
      sink.usage({ cost_usd: Math.max(0, usd - spentBefore) });
    } else if (usd !== null) spentBefore = usd;
    else if (isListening) read(params);
  };
  const ask = (question: Question, signal: AbortSignal): Promise<Answer> => {
    narration.pause();
    return Promise.race([sink.ask(question), whenAborted(AbortSignal.any([job.signal, signal]))]);
  };

  const stream = openStream(process, {
    update: takeUpdate,
    stray: (line) =>
      sink.feed('output', cutText(cleanText(line.slice(0, 2 * MAX_LINE_CHARACTERS)), MAX_LINE_CHARACTERS)),
  });
  const connection = client({ name: 'errand' })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) =>
      permissionResponse(await ask(permissionQuestion(params, toolCalls), signal)),
    )
    .onRequest(methods.client.elicitation.create, async ({ params, signal }) => {
      const question = elicitationQuestion(params);
      return question === null ? { action: 'decline' } : elicitationResponse(params, await ask(question, signal));
    })
    .connect(stream);

  return {
    connection,
    narration,
    listen: () => {
      isListening = true;
    },
    replayed: async () => {
      const began = performance.now();
      updatedAt = began;
      for (let now = began; now < updatedAt + QUIET_MS && now < began + MAX_REPLAY_MS; now = performance.now()) {
        await setTimeout(updatedAt + QUIET_MS - now);
      }
    },
    lastChunk: () => lastChunk,
    cost: () => (spent === null ? null : Math.max(0, spent - spentBefore)),
  };
}
