import { isObject, type Json, type JsonObject } from '#json';
import { RpcFailure } from '#rpc-failure';

const SOURCE = Symbol('source');

/** A variable of the task; as long as none of that name is set, the argument of that name. */
export interface VariableSource<Value extends Json = Json> {
  readonly [SOURCE]: 'variable';
  readonly name: string;
  /** Never there: it carries the type. */
  readonly value?: Value;
}

export interface StepOutputSource<Step extends string = string, Path extends string = string> {
  readonly [SOURCE]: 'step_output';
  readonly step: Step;
  readonly path: Path;
}

export type Source = VariableSource | StepOutputSource;

/** What a step is given by name: a value as it is, a variable, or what an earlier step put out. */
export type InputSources<Outputs = Readonly<Record<string, Json>>> = Readonly<
  Record<string, Json | VariableSource | StepOutputSource<keyof Outputs & string>>
>;

type At<Value, Path extends string> = Path extends ''
  ? Value
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Value
      ? At<Value[Head], Rest>
      : Json
    : Path extends keyof Value
      ? Value[Path]
      : Json;

/** The input of a step when all of its sources are looked up. */
export type Resolved<Input, Outputs> = {
  readonly [Key in keyof Input]: Input[Key] extends VariableSource<infer Value>
    ? Value
    : Input[Key] extends StepOutputSource<infer Step, infer Path>
      ? At<Outputs[Step & keyof Outputs], Path>
      : Input[Key];
};

/** `variable<string>('url')` says what kind of value it is; nobody checks that. */
export const variable = <Value extends Json = Json>(name: string): VariableSource<Value> => ({
  [SOURCE]: 'variable',
  name,
});

/** The output of an earlier step, or the part of it that a path such as `commit.author` names. */
export function stepOutput<Step extends string>(step: Step): StepOutputSource<Step, ''>;
export function stepOutput<Step extends string, Path extends string>(
  step: Step,
  path: Path,
): StepOutputSource<Step, Path>;
export function stepOutput(step: string, path = ''): StepOutputSource {
  return { [SOURCE]: 'step_output', step, path };
}

const isSource = (value: Json | Source): value is Source => isObject(value) && SOURCE in value;

/** Names of the steps whose outputs the sources need. */
export const stepsNeeded = (sources: InputSources): readonly string[] =>
  Object.values(sources).flatMap((source) =>
    isSource(source) && source[SOURCE] === 'step_output' ? [source.step] : [],
  );

export interface Known {
  readonly variable: (name: string) => Json | undefined;
  readonly output: (step: string) => Json | undefined;
}

/** Looks up every source. One that has no value ends the work with words for the requestor. */
export const resolveInput = (sources: InputSources, known: Known): JsonObject =>
  Object.fromEntries(
    Object.entries(sources).map(([key, source]) => [key, isSource(source) ? lookUp(source, known) : source]),
  );

function lookUp(source: Source, known: Known): Json {
  if (source[SOURCE] === 'variable') {
    const value = known.variable(source.name);
    if (value === undefined) throw new RpcFailure(-32602, `"${source.name}" is missing: give it as an argument.`);
    return value;
  }
  const { step, path } = source;
  const value = path.split('.').filter(Boolean).reduce(partOf, known.output(step));
  if (value === undefined) throw new RpcFailure(-32603, `The output of the step "${step}" has no "${path}".`);
  return value;
}

function partOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  // An array is an object whose keys are its indices.
  return (value as JsonObject)[key];
}
