import type { ListedTool } from './ways.ts';

/** The part of JSON Schema that the tools of the board are written in. */
interface Schema {
  readonly description?: string;
  readonly format?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export interface SchemaField {
  readonly place: string;
  readonly name: string;
  readonly description: string;
  /** The formats of a text, such as a UUID; none for other texts. */
  readonly formats: readonly string[];
}

const formatsOf = ({ format, anyOf = [] }: Schema): readonly string[] => [
  ...(format === undefined ? [] : [format]),
  ...anyOf.flatMap(formatsOf),
];

const walk = (place: string, { properties = {}, items, anyOf = [] }: Schema): readonly SchemaField[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [
    { place: `${place}.${name}`, name, description: field.description ?? '', formats: formatsOf(field) },
    ...walk(`${place}.${name}`, field),
  ]),
  ...(items === undefined ? [] : walk(`${place}[]`, items)),
  ...anyOf.flatMap((part) => walk(place, part)),
];

export const argumentsOf = ({ name, inputSchema }: ListedTool): readonly SchemaField[] => walk(name, inputSchema);
export const answersOf = ({ name, outputSchema }: ListedTool): readonly SchemaField[] =>
  walk(`${name} →`, outputSchema);

export interface ValueField {
  readonly name: string;
  readonly value: unknown;
}

/** Returns all fields of an answer, at any depth. */
export function fieldsIn(value: unknown): readonly ValueField[] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [{ name, value: inner }, ...fieldsIn(inner)]);
}
