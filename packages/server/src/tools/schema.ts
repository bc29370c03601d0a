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

// `$schema` is left out: without it MCP means 2020-12, and every tool would repeat it twice.
const schemaOf = (schema: z.ZodObject, io: 'input' | 'output'): JsonSchema => {
  // The library's type allows booleans, which it never produces for an object schema.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as JsonSchema;
  return rest;
};

export const inputSchema = ({ input }: { readonly input: z.ZodObject }): JsonSchema => schemaOf(input, 'input');

export const outputSchema = ({ output }: { readonly output: z.ZodObject }): JsonSchema => schemaOf(output, 'output');
