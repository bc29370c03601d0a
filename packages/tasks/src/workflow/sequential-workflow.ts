import type { Json, JsonObject } from '#json';
import type { TaskTool } from '#tasks';
import { type InMemoryOptions, inMemoryTask } from './in-memory-task.ts';
import { runSteps, type StepContext, type WorkflowStep } from './run-steps.ts';
import { type InputSources, type Resolved, stepsNeeded } from './source.ts';

/** What a step does. Its effect happens at least once; what it returns is kept, and it never runs again after that. */
export interface StepDefinition<Input, Outputs, Output> {
  /** Looked up when the step starts. */
  readonly input?: Input;
  readonly run: (step: StepContext<Resolved<Input, Outputs>>) => Promise<Output> | Output;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a step that only does something returns nothing.
type StepResult = Json | void;
type Kept<Output> = [Output] extends [Json] ? Output : null;
type NewName<Name, Outputs> = Name extends keyof Outputs ? never : Name;

/** Steps that run one after another, as a task that survives the death of its worker, or in memory. */
export interface SequentialWorkflow<Outputs = Record<never, never>> {
  readonly name: string;
  /** The same workflow with one more step at its end. */
  readonly step: <
    const Name extends string,
    Output extends StepResult,
    const Input extends InputSources<Outputs> = Record<never, never>,
  >(
    name: NewName<Name, Outputs>,
    step: StepDefinition<Input, Outputs, Output>,
  ) => SequentialWorkflow<Outputs & Readonly<Record<Name, Kept<Output>>>>;
  /** The workflow as a tool of `createTasks`. */
  readonly withTaskSupport: () => TaskTool;
  /** Runs it here and now, with nothing kept; resolves to the result that the task would have. */
  readonly run: (args: JsonObject, options?: InMemoryOptions) => Promise<JsonObject>;
}

export const sequentialWorkflow = (name: string): SequentialWorkflow => build(name, []);

const NAME = /^[\w.-]+$/;

function build<Outputs>(name: string, steps: readonly WorkflowStep[]): SequentialWorkflow<Outputs> {
  return {
    name,
    step: (step_name, { input = {}, run }) => {
      // The signature of `step` has proven the types of input and outputs; a list of steps cannot carry them.
      const added = { name: step_name, input, run } as unknown as WorkflowStep;
      checkStep(added, steps);
      return build(name, [...steps, added]);
    },
    withTaskSupport: () => ({ run: (task) => runSteps(steps, task), resumable: true }),
    run: (args, options) => runSteps(steps, inMemoryTask(args, options)),
  };
}

function checkStep({ name, input }: WorkflowStep, earlier: readonly WorkflowStep[]): void {
  const names = earlier.map((step) => step.name);
  if (!NAME.test(name)) throw new Error(`"${name}" is no name for a step: use letters, digits, ".", "_" and "-".`);
  if (names.includes(name)) throw new Error(`There are two steps "${name}": give each a name of its own.`);
  const unknown = stepsNeeded(input).find((needed) => !names.includes(needed));
  if (unknown !== undefined) throw new Error(`The step "${name}" needs "${unknown}", which is no step before it.`);
}
