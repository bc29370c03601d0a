import { worded } from '#gateway/outcome';
import type { ReportOutcome } from '#gateway/report';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { tellFailure } from './run-tool.ts';
import type { StepOrder } from './step-command.ts';
import { type Destination, runWithin, stepIdOf, stepTool } from './step-within.ts';
import { inWordsOfStep, type Refused, withAddress } from './step-words.ts';

interface StepRun {
  readonly order: StepOrder;
  readonly open: () => Promise<Destination>;
  readonly json: boolean;
}

function exitOf({ error, status }: Refused): number {
  if (status !== undefined) return exitCodeOf(status);
  return error.retryable ? EXIT.not_reachable : EXIT.failed;
}

function tellRefusal(refused: Refused, json: boolean): number {
  const error = withAddress(refused);
  tellFailure(json ? worded(error) : inWordsOfStep(error), json);
  return exitOf(refused);
}

/** The output for scripts: the whole step as JSON, or only the id of a new step. */
function textOf(kind: StepOrder['kind'], answer: string, json: boolean): string {
  if (json) return `${answer}\n`;
  return kind === 'create' ? `${stepIdOf(answer)}\n` : '';
}

function tell(kind: StepOrder['kind'], outcome: ReportOutcome, json: boolean): number {
  if (!outcome.ok) return tellRefusal(outcome, json);
  process.stdout.write(textOf(kind, outcome.json, json));
  return EXIT.ok;
}

/** Reports one step from a script. Resolves with the exit code, that of a command included. A report may still be under way. */
export async function runStep({ order, open, json }: StepRun): Promise<number> {
  if (order.kind === 'run') return await runWithin({ ...order, open });
  const { execution_id, send } = await open();
  const tool = stepTool(order.kind === 'update' ? 'update_step' : 'create_step');
  return tell(order.kind, await send(tool, { execution_id, ...order.fields }), json);
}
