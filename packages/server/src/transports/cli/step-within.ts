import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { ErrandError } from '#errors';
import { wireError } from '#gateway/outcome';
import type { ReportOutcome } from '#gateway/report';
import { catalog, type Tool } from '#tools/catalog';
import { runCommand } from './run-command.ts';
import { inWordsOfStep, lineOf, withAddress } from './step-words.ts';

/** The place to which steps are reported. */
export interface Destination {
  readonly execution_id: string;
  /** Sends the call to the Task Manager. */
  readonly send: (tool: Tool, input: Fields) => Promise<ReportOutcome>;
}

type Fields = Readonly<Record<string, unknown>>;
type Update = (news: Fields) => Promise<ReportOutcome>;

interface Within {
  readonly fields: Fields;
  readonly command: readonly [string, ...string[]];
  readonly open: () => Promise<Destination>;
  readonly sign_of_life_ms?: number;
}

const LATE = Symbol('late');

/** Long enough for a Task Manager that answers: later reports must arrive after this one. */
const HEAD_START_MS = 2_000;

/** For the last report of an ended command: the caller of `errand step` waits for it to get the exit code. */
const LAST_WORDS_MS = 5_000;

/** Less than a minute: a run that reports nothing for a minute is shown as quiet. */
const SIGN_OF_LIFE_MS = 30_000;

export function stepTool(name: 'create_step' | 'update_step'): Tool {
  const tool = catalog.find((candidate) => candidate.profile === 'executions' && candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

export function stepIdOf(json: string): string {
  const { step_id }: { readonly step_id: string } = JSON.parse(json);
  return step_id;
}

const warn = (why: string): boolean => process.stderr.write(`errand: the step is not reported: ${why}\n`);

function whyThrown(error: unknown): string {
  if (error instanceof ErrandError) return lineOf(wireError(error, randomUUID()).error);
  return lineOf({ message: error instanceof Error ? error.message : String(error) });
}

/** Returns the answer; null when the report failed, which must not keep the command from running. */
async function reported(sending: Promise<ReportOutcome>): Promise<string | null> {
  try {
    const outcome = await sending;
    if (outcome.ok) return outcome.json;
    warn(lineOf(inWordsOfStep(withAddress(outcome))));
  } catch (error) {
    warn(whyThrown(error));
  }
  return null;
}

/** Creates the step. Resolves with the function that updates it; null when the step could not be created. */
async function begin({ open, fields }: Within): Promise<Update | null> {
  const opening = open();
  const json = await reported(
    opening.then(({ execution_id, send }) => send(stepTool('create_step'), { execution_id, ...fields })),
  );
  if (json === null) return null;
  const { execution_id, send } = await opening;
  const step_id = stepIdOf(json);
  return (news) => send(stepTool('update_step'), { execution_id, step_id, ...news });
}

/** Reports again and again that the step is running. Resolves when the step is over and no report is under way. */
async function giveSigns(update: Update, every_ms: number, over: AbortSignal): Promise<void> {
  const timeIsUp = (): Promise<boolean> => pass(every_ms, true, { ref: false, signal: over }).catch(() => false);
  // One after another, without checking the result: the next heartbeat is as good.
  while (await timeIsUp()) await update({ status: 'running' }).catch(() => {});
}

/** Runs a command within a step. Resolves with its exit code, even if the reports fail. */
export async function runWithin(within: Within): Promise<number> {
  const { command, sign_of_life_ms = SIGN_OF_LIFE_MS } = within;
  const over = new AbortController();
  const beginning = begin(within);
  const signs = beginning.then((update) => update && giveSigns(update, sign_of_life_ms, over.signal));
  await Promise.race([beginning, pause(HEAD_START_MS)]);

  const { code, failure } = await runCommand(command);
  over.abort();
  const result = failure === null ? { status: 'completed' } : { status: 'failed', message: failure };
  const ended = beginning.then(async (update) => {
    if (update === null) return;
    // Wait for the heartbeat: one that arrives after the last report would set the step to running for ever.
    await Promise.race([signs, pause(HEAD_START_MS)]);
    await reported(update(result));
  });
  const late = pause(LAST_WORDS_MS).then(() => LATE);
  if ((await Promise.race([ended, late])) === LATE) warn('no answer in time');
  return code;
}

const pause = (ms: number): Promise<void> => pass(ms, undefined, { ref: false });
