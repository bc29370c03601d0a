import type { Json, JsonObject } from '#json';
import type { TaskTool } from '#tasks';
import { type InMemoryOptions, inMemoryTask } from './in-memory-task.ts';
import { runSteps, type StepContext, type WorkflowStep } from './run-steps.ts';
import { type InputSources, type Resolved, stepsNeeded } from './source.ts';

/** The definition of a step. It runs at least once. When its output is stored, it never runs again. */
export interface StepDefinition<Input, Outputs, Output> {
  /** The sources of the step's input. They are resolved when the step starts. */
  readonly input?: Input;
  readonly run: (step: StepContext<Resolved<Input, Outputs>>) => Promise<Output> | Output;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a step that only does something returns nothing.
type StepResult = Json | void;
type Kept<Output> = [Output] extends [Json] ? Output : null;
type NewName<Name, Outputs> = Name extends keyof Outputs ? never : Name;

/** Steps that run one after another, either as a task that survives the death of its worker, or in memory. */
export interface SequentialWorkflow<Outputs = Record<never, never>> {
  readonly name: string;
  /** Returns the workflow with one more step at its end. */
  readonly step: <
    const Name extends string,
    Output extends StepResult,
    const Input extends InputSources<Outputs> = Record<never, never>,
  >(
    name: NewName<Name, Outputs>,
    step: StepDefinition<Input, Outputs, Output>,
  ) => SequentialWorkflow<Outputs & Readonly<Record<Name, Kept<Output>>>>;
  /** Returns the workflow as a tool for `createTasks`. */
  readonly withTaskSupport: () => TaskTool;
  /** Runs the workflow in memory, without storing anything. Resolves to the result that the task would have. */
  readonly run: (args: JsonObject, options?: InMemoryOptions) => Promise<JsonObject>;
}

export const sequentialWorkflow = (name: string): SequentialWorkflow => build(name, []);

const NAME = /^[\w.-]+$/;

function build<Outputs>(name: string, steps: readonly WorkflowStep[]): SequentialWorkflow<Outputs> {
  return {
    name,
    step: (step_name, { input = {}, run }) => {
      // The cast: the signature of `step` checks the types of input and outputs, which a list of steps cannot express.
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
