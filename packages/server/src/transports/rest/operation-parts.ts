import { ERRORS } from '#errors';
import type { Tool } from '#tools/catalog';
import { inputSchema, type JsonSchema } from '#tools/schema';
import { fieldsOf } from '#transports/fields';
import { hasBody } from './input.ts';

/** A parameter of an OpenAPI operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly [field: string]: unknown;
}

/** Operations by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The same paths with each operation changed. */
export const mapOperations = (paths: Paths, change: (operation: Operation) => Operation): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
    ]),
  );

export const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** The fields of a tool that are in its route. */
export const fieldsInPath = ({ route }: Pick<Tool, 'route'>): ReadonlySet<string> =>
  new Set([...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));

function without(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  const { properties = {}, required = [] } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    required: required.filter((name) => !names.has(name)),
  };
}

/** The body of a tool's request: its input without the fields of the path, and without the fields named here. */
export const bodyOf = (tool: Tool, ...names: readonly string[]): JsonSchema =>
  without(inputSchema(tool), new Set([...fieldsInPath(tool), ...names]));

export const KEY_PARAMETER: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same as the field idempotency_key.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

export function parametersOf(tool: Tool): readonly Parameter[] {
  const inPath = fieldsInPath(tool);
  const fields = fieldsOf(tool);
  const parameters = fields
    .filter(({ name }) => inPath.has(name) || !(hasBody(tool) || name === 'idempotency_key'))
    .map(({ name, required, description, schema: { description: _, ...schema } }) => ({
      name,
      in: inPath.has(name) ? ('path' as const) : ('query' as const),
      required: required || inPath.has(name),
      description,
      schema,
    }));
  return fields.some(({ name }) => name === 'idempotency_key') ? [...parameters, KEY_PARAMETER] : parameters;
}

/** The scopes that a tool needs, in a sentence. */
export function rightsText({ scopes, field_scopes }: Tool): string {
  const needed = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;
  const more = Object.entries(field_scopes).map(([field, scope]) => ` With \`${field}\` also \`${scope}\`.`);
  return `${needed}${more.join('')}`;
}

export const statusOf = ({ effect }: Pick<Tool, 'effect'>): 200 | 201 => (effect === 'create' ? 201 : 200);

const STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))].toSorted((a, b) => a - b);

/** Every status of a failed call, and its codes. */
export const failureText = STATUSES.map((status) => {
  const codes = Object.entries(ERRORS).flatMap(([code, error]) => (error.status === status ? [code] : []));
  return `${status}: ${codes.join(', ')}.`;
}).join('\n');
