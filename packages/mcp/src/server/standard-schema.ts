import type { JsonObject } from '#json';

/** The part of Standard Schema and Standard JSON Schema that is used here: https://standardschema.dev */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

// biome-ignore lint/suspicious/noExplicitAny: the type of a schema's values is inferred, whatever it is.
export type AnySchema = StandardSchema<any, any>;

type TypesOf<Schema extends AnySchema> = NonNullable<Schema['~standard']['types']>;
export type InputOf<Schema extends AnySchema> = TypesOf<Schema>['input'];
export type OutputOf<Schema extends AnySchema> = TypesOf<Schema>['output'];

const TARGET = { target: 'draft-2020-12' };

/** Returns the input of the schema as JSON Schema. */
export const inputSchemaOf = (schema: AnySchema): JsonObject => schema['~standard'].jsonSchema.input(TARGET);

/** Returns the output of the schema as JSON Schema. */
export const outputSchemaOf = (schema: AnySchema): JsonObject => schema['~standard'].jsonSchema.output(TARGET);

/** Wraps a JSON Schema. Clients see it, but values are not checked against it. */
export const jsonSchema = <Value = JsonObject>(schema: JsonObject): StandardSchema<Value> => ({
  '~standard': {
    // The cast: the caller of `jsonSchema` states the type.
    validate: (value) => ({ value: value as Value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

const MAX_ISSUES = 10;

const keyOf = (part: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof part === 'object' ? part.key : part);

/** Prints the issues of a value, one line each. */
export const issuesText = (issues: readonly Issue[]): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path = [], message }) => (path.length === 0 ? message : `${path.map(keyOf).join('.')}: ${message}`))
    .join('\n');
