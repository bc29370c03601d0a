import { randomUUID } from 'node:crypto';
import { wireError } from '#gateway/outcome';
import type { ReportOutcome } from '#gateway/report';
import { validate } from '#gateway/validate';
import { catalog, type Tool } from '#tools/catalog';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { runCommand } from './run-command.ts';
import { tellFailure } from './run-tool.ts';
import type { StepOrder } from './step-command.ts';
import { inWordsOfStep } from './step-words.ts';

const LATE = Symbol('late');

type StepTool = 'create_step' | 'update_step';
type Refused = Extract<ReportOutcome, { ok: false }>;
type Send = (tool: Tool, input: Readonly<Record<string, unknown>>) => Promise<ReportOutcome>;

export interface StepRun {
  readonly order: StepOrder;
  readonly execution_id: string;
  /** Makes the call wherever reports go. */
  readonly send: Send;
  readonly json: boolean;
}

/** Long enough for a Task Manager that is there: what the command reports itself comes after the step it runs in. */
const HEAD_START_MS = 2_000;

/** For the last words about a command that has ended: whoever waits for its exit code waits for these as well. */
const LAST_WORDS_MS = 5_000;

function stepTool(name: StepTool): Tool {
  const tool = catalog.find((candidate) => candidate.profile === 'executions' && candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

function exitOf({ error, status }: Refused): number {
  if (status !== undefined) return exitCodeOf(status);
  return error.retryable ? EXIT.not_reachable : EXIT.failed;
}

/** For scripts: the id of the step alone, or all of it as JSON. */
function tell(outcome: ReportOutcome, json: boolean): number {
  if (outcome.ok) {
    process.stdout.write(`${json ? outcome.json : stepIdOf(outcome.json)}\n`);
    return EXIT.ok;
  }
  tellFailure(json ? { code: 'failed', ...outcome.error } : wordsOf(outcome), json);
  return exitOf(outcome);
}

const wordsOf = ({ error }: Refused) => inWordsOfStep({ code: 'failed', ...error });

function stepIdOf(json: string): string {
  const { step_id }: { readonly step_id: string } = JSON.parse(json);
  return step_id;
}

/** The id of the step; null when it is not reported, which must not keep the command from running. */
async function attempt(sending: Promise<ReportOutcome>): Promise<string | null> {
  try {
    const outcome = await sending;
    if (outcome.ok) return stepIdOf(outcome.json);
    warn(wordsOf(outcome).message);
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
  }
  return null;
}

const warn = (why: string): boolean => process.stderr.write(`errand: the step is not reported: ${why}\n`);

async function runWithin({ order, execution_id, send }: StepRun, command: readonly [string, ...string[]]) {
  const created = attempt(send(stepTool('create_step'), { execution_id, ...order.fields }));
  await Promise.race([created, pause(HEAD_START_MS)]);

  const { code, failure } = await runCommand(command);
  const result = failure === null ? { status: 'completed' } : { status: 'failed', message: failure };
  const ended = created.then(
    (step_id) => step_id && attempt(send(stepTool('update_step'), { execution_id, step_id, ...result })),
  );
  const late = pause(LAST_WORDS_MS).then(() => LATE);
  if ((await Promise.race([ended, late])) === LATE) warn('no answer in time');
  return code;
}

function refusalOf(tool: Tool, input: unknown): Refused | null {
  try {
    validate(tool, input);
    return null;
  } catch (error) {
    return { ok: false, ...wireError(error, randomUUID()) };
  }
}

/** One step from a script. Resolves with the exit code: that of the command, where there is one. A call may still be under way. */
export async function runStep(run: StepRun): Promise<number> {
  const { order, execution_id, send, json } = run;
  const tool = stepTool(order.kind === 'update' ? 'update_step' : 'create_step');
  const input = { execution_id, ...order.fields };
  if (order.kind !== 'run') return tell(await send(tool, input), json);
  // What is wrong with the words is said before the command runs.
  const refused = refusalOf(tool, input);
  if (refused !== null) return tell(refused, json);
  return await runWithin(run, order.command);
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
