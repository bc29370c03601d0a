import type { JsonSchema } from '#tools/schema';
import { componentName } from './component-name.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** A schema, and its name if it occurs more than once. */
export interface Rooted {
  readonly schema: JsonSchema;
  readonly name: string;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const singular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

// Zod writes these limits for every integer.
const isBound = (limit: unknown): boolean => limit !== undefined && Math.abs(Number(limit)) !== Number.MAX_SAFE_INTEGER;

/** Returns the schema with each inner schema replaced, and without keywords that only repeat its format or type. */
function rewritten(schema: JsonSchema, replace: (inner: JsonSchema, field?: string) => JsonSchema): JsonSchema {
  const { $schema: _, required = [], pattern, minimum, maximum, properties, items, anyOf, ...rest } = schema;
  const { additionalProperties } = rest;
  return {
    ...rest,
    ...(required.length > 0 && { required }),
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
    ...(isSchema(additionalProperties) && { additionalProperties: replace(additionalProperties) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, replace(field, name)])),
    }),
    ...(isSchema(items) && { items: replace(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((inner) => replace(inner)) }),
  };
}

// The same fields make the same component, whether other fields are dropped or forbidden.
const shapeOf = ({ description: _, $schema: __, additionalProperties: ___, ...shape }: JsonSchema): string =>
  JSON.stringify(Object.entries(shape).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const isObject = ({ properties = {} }: JsonSchema): boolean => Object.keys(properties).length > 1;

/** Fields of at least this length are shared, because they would make the document long. */
const MIN_FIELD_CHARACTERS = 80;
const MIN_FIELD_TIMES = 6;
const isLong = (schema: JsonSchema): boolean => JSON.stringify(schema).length > MIN_FIELD_CHARACTERS;

const fieldKey = (name: string, schema: JsonSchema): string => `${name} ${JSON.stringify(schema)}`;

interface Met {
  readonly schema: JsonSchema;
  readonly name: string;
  /** The name of the schema around it, which distinguishes two with the same name. */
  readonly within: string;
  readonly times: number;
}

type AllMet = Map<string, Met>;

function note(met: AllMet, key: string, first: Omit<Met, 'times'>): boolean {
  const known = met.get(key);
  met.set(key, known === undefined ? { ...first, times: 1 } : { ...known, times: known.times + 1 });
  return known === undefined;
}

/** Counts how often each object and each long field occurs, under the name of the field that holds it first. */
function meet(met: AllMet, { schema, name }: Rooted, within: string): void {
  // Everything inside a known shape is already counted.
  if (isObject(schema) && !note(met, shapeOf(schema), { schema, name, within })) return;
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  for (const [key, inner] of Object.entries(properties)) {
    const field = { schema: inner, name: componentName(key) };
    if (isLong(inner) && !isObject(inner)) note(met, fieldKey(field.name, inner), { ...field, within: name });
    meet(met, field, name);
  }
  if (isSchema(items)) meet(met, { schema: items, name: singular(name) }, within);
  if (isSchema(additionalProperties)) meet(met, { schema: additionalProperties, name: singular(name) }, within);
  for (const inner of anyOf) meet(met, { schema: inner, name }, within);
}

const byTimes = ([, a]: readonly [string, Met], [, b]: readonly [string, Met]): number => b.times - a.times;

/** The name of each shared schema, by its key. */
function namesOf(met: AllMet, given: Schemas): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(given).map(([name, schema]) => [shapeOf(schema), name]));
  const taken = new Set(names.values());
  for (const [key, { schema, name, within, times }] of [...met].toSorted(byTimes)) {
    if (names.has(key) || times < (isObject(schema) ? 2 : MIN_FIELD_TIMES)) continue;
    // Of fields with one name only the most frequent is shared: no other name is left for the others.
    const free = [name, ...(isObject(schema) ? [`${within}${name}`] : [])].find((each) => !taken.has(each));
    if (free === undefined) continue;
    names.set(key, free);
    taken.add(free);
  }
  return names;
}

/**
 * The shared schemas as components: the nouns as given, every root under its name, and each object and
 * long field that occurs more than once.
 */
export function shareSchemas(roots: readonly Rooted[], nouns: Schemas) {
  const met: AllMet = new Map();
  for (const root of roots) meet(met, root, root.name);
  const named = Object.fromEntries(roots.map(({ name, schema }) => [name, schema]).toReversed());
  const names = namesOf(met, { ...named, ...nouns });

  const shareObject = (schema: JsonSchema): JsonSchema => {
    const name = names.get(shapeOf(schema));
    if (name === undefined) return rewritten(schema, shareObject);
    const { description } = schema;
    return { ...reference(name), ...(description !== undefined && { description }) };
  };
  const shareField = (schema: JsonSchema, field?: string): JsonSchema => {
    const name = field === undefined ? undefined : names.get(fieldKey(componentName(field), schema));
    if (name !== undefined) return reference(name);
    return names.has(shapeOf(schema)) ? shareObject(schema) : rewritten(schema, shareField);
  };

  const found = [...met.values(), ...roots].flatMap(({ schema, name }) => {
    const shared = names.get(shapeOf(schema)) ?? names.get(fieldKey(name, schema));
    return shared === undefined || Object.hasOwn(nouns, shared)
      ? []
      : [[shared, rewritten(schema, shareField)] as const];
  });
  const schemas: Schemas = Object.fromEntries([
    ...Object.entries(nouns).map(([name, noun]) => [name, rewritten(noun, shareObject)] as const),
    ...found,
  ]);
  return { share: shareObject, schemas };
}
