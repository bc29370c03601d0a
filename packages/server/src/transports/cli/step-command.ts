import type { Command } from 'commander';
import { ErrandError } from '#errors';
import { executionFields } from '#tools/executions/fields';
import { addStoreOptions, type CommonFlags } from './tool-command.ts';

export interface StepFlags extends CommonFlags {
  readonly id?: string;
  readonly name?: string;
  readonly status?: string;
  readonly message?: string;
  readonly execution?: string;
}

const STATUSES = executionFields.step_status.options.join(', ');

type Fields = Readonly<Record<string, string>>;

/** The report to send; a command runs within its step. */
export type StepOrder =
  | { readonly kind: 'create' | 'update'; readonly fields: Fields }
  | { readonly kind: 'run'; readonly fields: Fields; readonly command: readonly [string, ...string[]] };

/** Takes the words before `--`, and the flags. */
export type RunStep = (words: readonly string[], flags: StepFlags) => Promise<void>;

const refuse = (message: string): ErrandError => new ErrandError('validation_error', message);

const given = (fields: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** The name of the step, from the argument or the flag. */
function nameOf([text, ...more]: readonly string[], name: string | undefined): string | undefined {
  if (more.length > 0) throw refuse('The text of a step is one argument: put it in quotes, and a command after --.');
  if (text !== undefined && name !== undefined)
    throw refuse('--name is another way to give the text: give one of them.');
  return text ?? name;
}

/** Builds the order from the typed words; the command is null without `--`. */
export function stepOrderOf(words: readonly string[], command: readonly string[] | null, flags: StepFlags): StepOrder {
  const step_name = nameOf(words, flags.name);
  const { id: step_id, status, message, json } = flags;
  if (step_id !== undefined) {
    if (step_name !== undefined || command !== null)
      throw refuse('--id updates a step: it takes no text and no command.');
    if (status === undefined && message === undefined)
      throw refuse('Say what is new about the step: give --status, --message, or both.');
    return { kind: 'update', fields: given({ step_id, status, message }) };
  }
  if (step_name === undefined)
    throw refuse('Say what the step does: errand step "text", or --id STEP_ID to update one.');
  if (command === null) return { kind: 'create', fields: given({ step_name, status, message }) };
  const [program = '', ...args] = command;
  if (program === '') throw refuse('The command after -- is empty.');
  if (json) throw refuse('--json is for steps without a command: with one, the output is its own.');
  if (status !== undefined) throw refuse('--status is for steps without a command: with one, its exit code decides.');
  return { kind: 'run', fields: given({ step_name, message }), command: [program, ...args] };
}

/** Splits a command line at `--` into our words and the command to run: parsed together, their flags would mix. */
export function splitCommand(
  argv: readonly string[],
): readonly [own: readonly string[], command: readonly string[] | null] {
  const at = argv[0] === 'step' ? argv.indexOf('--') : -1;
  return at === -1 ? [argv, null] : [argv.slice(0, at), argv.slice(at + 1)];
}

/** `errand step`: for scripts, which do not speak MCP. */
export function addStep(program: Command, run: RunStep): void {
  const step = program
    .command('step')
    .summary('Report a step of a run from a script, or run a command as a step.')
    .usage('[options] [text] [-- command args...]')
    .description(
      'Report a step of a run from a script: create a step and print its id, update a step, or run a command as a step. With --data or --database-url it reports to that database. Otherwise, if TASK_MANAGER_HOST, TASK_MANAGER_PORT or TASK_MANAGER_TOKEN is set, it reports to the Task Manager there (default localhost:8080); if none is set, to the data of this machine. The command runs even if its step cannot be reported. After the command has ended, the report takes 5 s at most.',
    )
    .argument('[text...]', 'what the step does, in quotes; errand step ends with the exit code of the command after --')
    .option('--name <text>', 'the text, if it begins with a dash')
    .option('--id <step-id>', 'update this step instead of creating one')
    .option('--status <status>', `one of ${STATUSES} (default for a new step: running)`)
    .option('--message <text>', 'a message for the people who watch the run')
    .option('--execution <id>', 'the run (NOVA_EXECUTION_ID)');
  addStoreOptions(step).option('--json', 'print the step as one line of JSON; not possible with a command');
  step.action((words: readonly string[], flags: StepFlags) => run(words, flags));
}
