import { z } from 'zod';
import { StepId } from '#domain/ids';
import { visible } from '#domain/visible-text';
import { executionBody, stepBody } from '#tools/executions/fields';
import type { ReportedExecution, ReportedStep } from '#tools/task-manager';
import { isSegment } from './segment.ts';
import { isRedacted } from './without-token.ts';

/** Returns the known fields of an answer that have the right type. */
function knownFields<Shape extends z.core.$ZodShape>(
  { shape }: { readonly shape: Shape },
  answer: object,
): Partial<z.core.$InferObjectOutput<Shape, Record<never, never>>> {
  const known = Object.entries(shape).flatMap(([name, schema]) => {
    const value: unknown = Reflect.get(answer, name);
    return value !== undefined && z.safeParse(schema, value).success ? [[name, value]] : [];
  });
  return Object.fromEntries(known);
}

export const executionIn = (answer: object): ReportedExecution => knownFields(executionBody, answer);

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' ? value !== '' : Number.isSafeInteger(value);

// Reads an id. Other Task Managers use `id`, and some use numbers.
function idIn(answer: object, names: readonly string[]): string | null {
  const id = names.map((name): unknown => Reflect.get(answer, name)).find(isId);
  return id === undefined ? null : String(id);
}

const STEP_ID = ['step_id', 'id'];

/** Whether an update could name the step by this id, in the form that an agent sees. */
const isUsable = (id: string): boolean =>
  StepId.safeParse(id).success && isSegment(id) && visible(id) === id && !isRedacted(id);

/** Reads a created step. Null without an id, because the step could not be updated. */
export function newStepIn(answer: object): ReportedStep | null {
  const step_id = idIn(answer, STEP_ID);
  return step_id !== null && isUsable(step_id) ? { ...knownFields(stepBody, answer), step_id } : null;
}

interface StepPlace {
  readonly execution_id: string;
  readonly step_id: string;
}

/** Reads the requested step. Null when the answer is about another step. */
export function stepIn(answer: object, { execution_id, step_id }: StepPlace): ReportedStep | null {
  const isAsked =
    (idIn(answer, STEP_ID) ?? step_id) === step_id && (idIn(answer, ['execution_id']) ?? execution_id) === execution_id;
  return isAsked ? { ...knownFields(stepBody, answer), execution_id, step_id } : null;
}
