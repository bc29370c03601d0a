import { z } from 'zod';
import { FeedKind, RunStatus, StepStatus, Usage } from '../../packages/server/src/domain/run.ts';
import { answerSchema } from '../../packages/server/src/tools/envelope.ts';
import { executionBody, feedBody, healthBody, stepBody } from '../../packages/server/src/tools/executions/fields.ts';
import type { JsonSchema } from '../../packages/server/src/tools/schema.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

// The library's type allows booleans, which it makes of none of these.
const schemaOf = (noun: z.ZodType): JsonSchema => z.toJSONSchema(noun, { io: 'output' }) as JsonSchema;

const NOUNS: Schemas = {
  StepStatus: schemaOf(StepStatus.describe('Where a step stands.')),
  RunStatus: schemaOf(RunStatus.describe('Where an execution stands.')),
  FeedKind: schemaOf(FeedKind.describe('What kind of thing happened.')),
  Usage: schemaOf(Usage.describe('What an execution has cost so far.')),
  Step: schemaOf(stepBody),
  Execution: schemaOf(executionBody),
  FeedEntry: schemaOf(feedBody),
  Health: schemaOf(healthBody),
};

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

// What is answered has no other fields, and what is taken has them dropped: one shape for both.
const shapeOf = ({ description: _, $schema: __, additionalProperties: ___, ...shape }: JsonSchema): string =>
  JSON.stringify(Object.entries(shape).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(NOUNS).map(([name, noun]) => [shapeOf(noun), name]));

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The schema by its name if it has one, with everything in it called by its name. */
export function named(schema: JsonSchema): JsonSchema {
  const name = NAMES.get(shapeOf(schema));
  if (name === undefined) return withNames(schema);
  const { description } = schema;
  return { ...reference(name), ...(description !== undefined && { description }) };
}

const isBound = (limit: unknown): boolean => limit !== undefined && Math.abs(Number(limit)) !== Number.MAX_SAFE_INTEGER;

/** The schema with everything in it called by its name, and without what only repeats a format or a type. */
export function withNames(schema: JsonSchema): JsonSchema {
  const { $schema: _, required = [], pattern, minimum, maximum, properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(required.length > 0 && { required }),
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, named(field)])),
    }),
    ...(isSchema(items) && { items: named(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(named) }),
  };
}

function errorSchema(): JsonSchema {
  const { error = {}, error_code = {}, valid_statuses = {} } = answerSchema({ envelope: '' }, {}).properties ?? {};
  return {
    type: 'object',
    description: 'Instead of an answer, when it was not done.',
    properties: { error, error_code, valid_statuses },
    required: ['error'],
  };
}

export const nouns: Schemas = {
  ...Object.fromEntries(Object.entries(NOUNS).map(([name, noun]) => [name, withNames(noun)])),
  Error: errorSchema(),
};
