import type { Tool } from '#tools/catalog';
import { inputSchema, type JsonSchema } from '#tools/schema';
import { isObject } from '#transports/json';

/** The type of a field, as far as the conversion from text needs it. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly description: string;
  /** The fixed values of the field, or of each of its items. */
  readonly values: readonly string[];
  readonly schema: JsonSchema;
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};

function kindOf({ type, anyOf = [] }: JsonSchema): FieldKind {
  const types = [type, ...anyOf.map((option) => option.type)].flat();
  return types.map((name) => KINDS[name ?? '']).find((kind) => kind !== undefined) ?? 'string';
}

function valuesOf({ enum: own, items }: JsonSchema): readonly string[] {
  const values = own ?? (isObject(items) ? items.enum : undefined);
  return Array.isArray(values) ? values.map(String) : [];
}

export function fieldsOf(tool: Pick<Tool, 'input'>): readonly Field[] {
  const { properties = {}, required = [] } = inputSchema(tool);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    kind: kindOf(schema),
    required: required.includes(name),
    description: schema.description ?? '',
    values: valuesOf(schema),
    schema,
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Converts text from a URL or a command line to the field's type. Other text stays text: validation refuses it. */
export function valueFromText(kind: FieldKind, text: string): unknown {
  if (kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  if (kind === 'object') return parsed(text);
  if (kind !== 'array') return text;
  if (text.startsWith('[')) return parsed(text);
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}
