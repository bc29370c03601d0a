import { setTimeout } from 'node:timers/promises';
import { type ClientContext, methods } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { AgentProcess, Job, RunEnd, RunExecutor, RunSink } from '#runner/executor';
import { cleanText, cutText } from '#runner/executors/clean-text';
import { FRESH_SESSION, recapOf } from '#runner/executors/fresh-session';
import { keepOutput } from '#runner/executors/keep-output';
import { readLines } from '#runner/executors/read-lines';
import { type AgentConnection, connect, whenAborted } from './connect.ts';
import { failureOf, NotReady } from './failure.ts';
import { greet, LostSession, mcpServers, type OpenedSession, openSession } from './open-session.ts';
import { BrokenProtocol } from './stream.ts';

const MAX_LINE_CHARACTERS = 4_000;
const MAX_REASON_CHARACTERS = 500;
const READY_MS = 120_000;
const CANCEL_MS = 1_500;
const LINGER_MS = 2_000;

export interface AcpOptions {
  /** The command that starts Errand's MCP server, for an agent that accepts no URL. */
  readonly errandArgv: readonly string[];
  /** What the person has to do when the agent wants a log-in. */
  readonly login: string | null;
  /** The session mode to use; null for the default. */
  readonly mode: string | null;
  /** Matches the agent's last message when its model has failed; null when the answer to the prompt reports that. */
  readonly failure_pattern?: RegExp | null;
  /** How long the agent may take to be ready. */
  readonly ready_ms?: number;
}

const Tokens = z.int().min(0);
const PromptEnd = z.object({
  stopReason: z.string(),
  usage: z.object({ inputTokens: Tokens, outputTokens: Tokens }).nullish().catch(null),
  // Gemini CLI reports its usage here.
  _meta: z
    .object({ quota: z.object({ token_count: z.object({ input_tokens: Tokens, output_tokens: Tokens }) }) })
    .nullish()
    .catch(null),
});
type PromptEnd = z.infer<typeof PromptEnd>;

const STOP_REASONS: Readonly<Record<string, string | null>> = {
  end_turn: null,
  refusal: 'the agent refused',
  max_tokens: 'the agent ran out of tokens',
  max_turn_requests: 'the agent reached its limit of requests',
  cancelled: 'stopped',
};

/** Awaits the promise, or rejects when the run is stopped; the caller sees that from the signal. */
const orStopped = <T>(job: Job, awaited: Promise<T>, grace_ms = 0): Promise<T> =>
  Promise.race([
    awaited,
    whenAborted(job.signal)
      .then(() => setTimeout(grace_ms))
      .then(() => Promise.reject(new Error('The run was stopped.'))),
  ]);

const orNotReady = <T>(awaited: Promise<T>, ready_ms: number): Promise<T> =>
  Promise.race([
    awaited,
    setTimeout(ready_ms, undefined, { ref: false }).then(() =>
      Promise.reject(new NotReady(`the agent was not ready after ${Math.ceil(ready_ms / 1_000)} seconds`)),
    ),
  ]);

async function prompt(agent: ClientContext, job: Job, sessionId: string, texts: readonly string[]): Promise<PromptEnd> {
  const answered = agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: texts.map((text) => ({ type: 'text', text })),
  });
  void whenAborted(job.signal).then(() =>
    agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined),
  );
  const end = PromptEnd.safeParse(await orStopped(job, answered, CANCEL_MS));
  if (!end.success) throw new BrokenProtocol('it ended without saying why');
  return end.data;
}

async function work(talk: AgentConnection, job: Job, sink: RunSink, options: AcpOptions): Promise<PromptEnd> {
  const { agent } = talk.connection;
  const getReady = async (): Promise<OpenedSession> => {
    const hello = await greet(agent, sink);
    const servers = mcpServers(hello, job, options.errandArgv);
    const session = await openSession(agent, hello, { job, sink, servers });
    const { sessionId } = session;
    if (session.isReplayed) await talk.replayed();
    if (options.mode !== null) await agent.request(methods.agent.session.setMode, { sessionId, modeId: options.mode });
    return session;
  };
  const session = await orStopped(job, orNotReady(getReady(), options.ready_ms ?? READY_MS));
  talk.listen();
  const hasFailed = (): boolean => modelFailure(talk.lastChunk(), options.failure_pattern ?? null) !== null;
  return converse(agent, job, session, hasFailed);
}

/**
 * Prompts the agent, and again with messages that come meanwhile: at the end of its turn, or at once for urgent ones.
 */
async function converse(
  agent: ClientContext,
  job: Job,
  { sessionId, isFresh }: OpenedSession,
  hasFailed: () => boolean,
): Promise<PromptEnd> {
  const urgent: string[] = [];
  let isOver = false;
  job.onInterrupt(async (words) => {
    if (isOver) return false;
    urgent.push(words);
    await agent.notify(methods.agent.session.cancel, { sessionId });
    return true;
  });
  /** The next prompt for the agent. Urgent messages may come while the others are read. */
  const nextPrompt = async ({ stopReason }: PromptEnd): Promise<string> => {
    const isRead = urgent.length === 0 && stopReason === 'end_turn' && !hasFailed();
    const others = isRead ? await job.nextMessages() : null;
    return [...(others === null ? [] : [others]), ...urgent.splice(0)].join('\n\n');
  };
  const hasForgotten = isFresh && job.recap !== '';
  let end = await prompt(agent, job, sessionId, hasForgotten ? [recapOf(job), job.prompt] : [job.prompt]);
  try {
    while (!job.signal.aborted) {
      const words = await nextPrompt(end);
      if (words === '') break;
      end = await prompt(agent, job, sessionId, [words]);
    }
  } finally {
    isOver = true;
  }
  return end;
}

function tellUsage(sink: RunSink, talk: AgentConnection, end: PromptEnd | null): void {
  const cost_usd = talk.cost();
  const { usage, _meta } = end ?? {};
  const tokens = usage
    ? { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
    : _meta?.quota.token_count;
  if (cost_usd !== null || tokens) sink.usage({ ...tokens, ...(cost_usd === null ? {} : { cost_usd }) });
}

/** Returns why the model failed, for an agent that still ends its turn normally; null when it did not fail. */
function modelFailure(chunk: string | null, failure_pattern: RegExp | null): string | null {
  const [, why] = failure_pattern === null || chunk === null ? [] : (failure_pattern.exec(chunk) ?? []);
  return why === undefined
    ? null
    : `the model failed: ${cutText(cleanText(why).replaceAll(/\s+/g, ' '), MAX_REASON_CHARACTERS)}`;
}

async function leave(process: AgentProcess, { connection }: AgentConnection): Promise<void> {
  process.stdin.end();
  await Promise.race([process.exited, setTimeout(LINGER_MS, undefined, { ref: false })]);
  connection.close();
  await process.stop();
}

async function runOnce(job: Job, sink: RunSink, options: AcpOptions): Promise<RunEnd | LostSession> {
  const process = await job.start();
  const output = keepOutput(sink);
  void readLines(process.stderr, MAX_LINE_CHARACTERS, (line) => output.add('stderr', line));
  const talk = connect(process, job, sink);
  const endAs = (reason: string | null): RunEnd => {
    talk.narration.pause();
    const summary = talk.narration.summary() ?? (reason === null ? null : output.tail());
    return { status: reason === null ? 'completed' : 'failed', reason, summary };
  };
  try {
    const end = await work(talk, job, sink, options);
    tellUsage(sink, talk, end);
    const reason = STOP_REASONS[end.stopReason];
    if (reason === null) return endAs(modelFailure(talk.lastChunk(), options.failure_pattern ?? null));
    return endAs(reason === undefined ? `the agent stopped: ${end.stopReason.slice(0, 100)}` : reason);
  } catch (error) {
    tellUsage(sink, talk, null);
    if (job.signal.aborted) return endAs('stopped');
    return error instanceof LostSession ? error : endAs(await failureOf(error, process, options.login));
  } finally {
    await leave(process, talk);
  }
}

/** Runs an agent over the Agent Client Protocol, on its standard input and output. */
export const createAcp =
  (options: AcpOptions): RunExecutor =>
  async (job, sink) => {
    const end = await runOnce(job, sink, options);
    if (!(end instanceof LostSession)) return end;
    sink.feed('status', FRESH_SESSION);
    const again = await runOnce({ ...job, agent_session_id: null }, sink, options);
    return again instanceof LostSession ? { status: 'failed', reason: again.message, summary: null } : again;
  };
