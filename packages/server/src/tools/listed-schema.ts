import type { Definition } from './define.ts';
import { answerSchema } from './envelope.ts';
import { pageOutput } from './paging.ts';
import { inputSchema, type JsonSchema, outputSchema } from './schema.ts';

/**
 * The schemas that `tools/list` shows. A model reads every one of them before it reads the first task, so they say each
 * thing once. The complete schemas are in the OpenAPI document, and the gateway checks arguments against them.
 */

type Described = Pick<Definition, 'input' | 'output' | 'envelope' | 'describes_fields'>;
type Asked = Pick<Definition, 'input' | 'idempotent' | 'needs_key'>;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `anyOf` a type or null, as one type: shorter, and understood by more clients. */
function withoutNullBranch(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined) return schema;
  const [one, ...others] = anyOf.filter(({ type }) => type !== 'null');
  if (one === undefined || others.length > 0 || typeof one.type !== 'string') return schema;
  const isNullable = anyOf.length > 1;
  return {
    ...one,
    ...rest,
    type: isNullable ? [one.type, 'null'] : one.type,
    ...(one.enum !== undefined && isNullable && { enum: [...one.enum, null] }),
  };
}

const mapFields = (
  { properties = {} }: JsonSchema,
  change: (field: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, change(field)]));

/** An argument. Its description says how long or large it may be: the keywords for that would say it again. */
function listedArgument(argument: JsonSchema): JsonSchema {
  const schema = withoutNullBranch(argument);
  const { type, format, description, items, required, additionalProperties } = schema;
  const isEmptyDefault = JSON.stringify(schema.default)?.length === 2;
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(schema.enum !== undefined && { enum: schema.enum }),
    ...(schema.const !== undefined && { const: schema.const }),
    ...(schema.default !== undefined && !isEmptyDefault && { default: schema.default }),
    ...(schema.anyOf !== undefined && { anyOf: schema.anyOf }),
    ...(isSchema(additionalProperties) && { additionalProperties: listedArgument(additionalProperties) }),
    ...(description !== undefined && { description }),
    ...(isSchema(items) && { items: listedArgument(items) }),
    ...(schema.properties !== undefined && { properties: mapFields(schema, listedArgument) }),
    ...(required !== undefined && { required }),
  };
}

/** The arguments of a tool. A tool that may be repeated anyway takes a key, but no model needs to read that. */
export function listedInput({ input, idempotent, needs_key }: Asked): JsonSchema {
  const listed = listedArgument(inputSchema({ input }));
  const { idempotency_key, ...others } = listed.properties ?? {};
  const needsKey = idempotency_key !== undefined && (needs_key || !idempotent);
  return { ...listed, properties: needsKey ? { ...others, idempotency_key } : others, additionalProperties: false };
}

/** The first sentence of a description: what the field is. */
const briefly = (description = ''): string => description.split(/; |: |\. |\.$/, 1)[0] ?? '';

/** The description of a field in an answer, without the format that the schema states. */
const statedBy = (format: unknown, description: string): string =>
  format === 'uuid' ? description.replace(' (UUID)', '') : description;

/** Every field within, by name. */
function fieldsWithin(schema: JsonSchema): string {
  const branches = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const within = branches.flatMap(({ items }) => (isSchema(items) ? [fieldsWithin(items)] : [])).join('');
  const fields = new Map(branches.flatMap(({ properties = {} }) => Object.entries(properties)));
  const names = [...fields].map(([name, field]) => `${name}${fieldsWithin(field)}`);
  return names.length === 0 ? within : ` {${names.join(', ')}}`;
}

/** Fields of an answer, described down to this depth. Deeper fields are named in the description of their parent. */
function listedAnswer(answer: JsonSchema, levels: number): JsonSchema {
  const schema = withoutNullBranch(answer);
  const { type, format, description, items } = schema;
  const isSpeltOut = levels > 0;
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(schema.enum !== undefined && { enum: schema.enum }),
    ...(description !== undefined && {
      description: `${statedBy(format, briefly(description))}${isSpeltOut ? '' : fieldsWithin(schema)}`,
    }),
    // Rows whose fields the description names need no schema of their own.
    ...(isSchema(items) &&
      items.type !== undefined &&
      (isSpeltOut || items.type !== 'object') && {
        items: listedRow(items, levels),
      }),
    ...(isSpeltOut &&
      schema.properties !== undefined && {
        properties: mapFields(schema, (field) => listedAnswer(field, levels - 1)),
      }),
  };
}

/** The description of the list describes its rows. */
function listedRow({ description: _, ...row }: JsonSchema, levels: number): JsonSchema {
  return listedAnswer(row, levels);
}

/** An answer with more fields than this is described in one sentence that names them, unless its tool says otherwise. */
const MAX_FIELDS = 10;

/** Counts the fields of an answer, except those that every list has. */
const countFields = ({ properties = {}, items }: JsonSchema): number =>
  Object.entries(properties)
    .filter(([name]) => !(name in pageOutput))
    .reduce((sum, [, field]) => sum + 1 + countFields(field), isSchema(items) ? countFields(items) : 0);

/** How many levels of an answer are described; one more for a list, because of its rows. */
function levelsOf({ input, envelope, describes_fields }: Described, answer: JsonSchema, isTogether: boolean): number {
  const isShort = envelope === null ? countFields(answer) <= MAX_FIELDS : !isTogether;
  const isDescribed = describes_fields || isShort;
  if (!isDescribed) return 0;
  return 'cursor' in input.shape ? 2 : 1;
}

/** The schema of an answer as `tools/list` shows it, for one profile or for several together. */
export function listedOutput(tool: Described, isTogether: boolean): JsonSchema {
  const whole = outputSchema(tool);
  const levels = levelsOf(tool, whole, isTogether);
  const named = levels > 0 || tool.envelope !== null ? whole : { ...whole, description: 'The answer.' };
  return answerSchema(tool, listedAnswer(named, levels));
}
