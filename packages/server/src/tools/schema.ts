import { z } from 'zod';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The schemas that were made, by the definition: listing, REST, OpenAPI and commands ask for the same ones. */
const made = { input: new WeakMap<z.ZodObject, JsonSchema>(), output: new WeakMap<z.ZodObject, JsonSchema>() };

// `$schema` is left out: without it MCP means 2020-12, and every tool would repeat it twice.
const schemaOf = (schema: z.ZodObject, io: 'input' | 'output'): JsonSchema => {
  const known = made[io].get(schema);
  if (known !== undefined) return known;
  // The library's type allows booleans, which it never produces for an object schema.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as JsonSchema;
  made[io].set(schema, rest);
  return rest;
};

export const inputSchema = ({ input }: { readonly input: z.ZodObject }): JsonSchema => schemaOf(input, 'input');

export const outputSchema = ({ output }: { readonly output: z.ZodObject }): JsonSchema => schemaOf(output, 'output');
