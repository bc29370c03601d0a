import { setTimeout } from 'node:timers/promises';
import { RequestError } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { AgentProcess } from '#runner/executor';
import { cleanText, cutText } from '#runner/executors/clean-text';
import { exitFailure } from '#runner/executors/exit-failure';
import { isAuthRequired } from './open-session.ts';
import { BrokenProtocol } from './stream.ts';

const MAX_REASON_CHARACTERS = 500;
const EXIT_MS = 2_000;

/** The agent took too long to be ready. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

const Details = z.union([
  z.string(),
  z.object({ details: z.string() }).transform(({ details }) => details),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

function answerOf({ message, data }: RequestError): string {
  const details = Details.safeParse(data);
  const words = details.success && details.data !== message ? `${message}: ${details.data}` : message;
  return cutText(cleanText(words.slice(0, 4 * MAX_REASON_CHARACTERS)).replaceAll(/\s+/g, ' '), MAX_REASON_CHARACTERS);
}

const endOf = async (process: AgentProcess): Promise<string> =>
  (await exitFailure(process)) ?? 'the agent ended before its work was done';

/** Why talking to an agent failed, in words for the people who watch the run. */
export async function failureOf(error: unknown, process: AgentProcess, login: string | null): Promise<string> {
  if (isAuthRequired(error)) return `not logged in: ${login ?? 'log in with the agent itself, then send a follow-up'}`;
  if (error instanceof RequestError) return `the agent answered an error: ${answerOf(error)}`;
  if (error instanceof BrokenProtocol) return `the agent broke the protocol: ${error.message}`;
  if (error instanceof NotReady) return error.message;
  // Any other error means that the pipe is closed, because the agent has ended or has closed it.
  return Promise.race([
    endOf(process),
    setTimeout(EXIT_MS, 'the agent closed its output before its work was done', { ref: false }),
  ]);
}
