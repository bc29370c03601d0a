import { expect } from 'vitest';
import { send } from '../http.ts';
import type { Fields } from './site.ts';
import type { ListedTool } from './ways.ts';

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly schema: Fields;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Fields }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Fields }>> }>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const JSON_TYPE = 'application/json';

function inputOf({ parameters = [], requestBody }: Operation): Fields {
  const { properties = {} } = (requestBody?.content[JSON_TYPE]?.schema ?? {}) as { readonly properties?: Fields };
  const fields = parameters
    .filter((one) => one.in !== 'header')
    .map(({ name, description, schema }) => [name, { ...schema, description }] as const);
  return { type: 'object', properties: { ...properties, ...Object.fromEntries(fields) } };
}

const outputOf = ({ responses }: Operation): Fields =>
  (responses['200'] ?? responses['201'])?.content?.[JSON_TYPE]?.schema ?? {};

/** Resolves all references in a part of the document. */
function resolved(part: unknown, document: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((inner) => resolved(inner, document));
  const { $ref, ...fields } = part as Readonly<Record<string, unknown>>;
  const inner = Object.entries(fields).map(([key, value]) => [key, resolved(value, document)] as const);
  if (typeof $ref !== 'string') return Object.fromEntries(inner);
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => Reflect.get(Object(value), key), document);
  return { ...(resolved(target, document) as object), ...Object.fromEntries(inner) };
}

export interface DocumentedTool extends ListedTool {
  readonly method: string;
  readonly path: string;
}

/** The tools of the board as the server's own OpenAPI document has them. */
export async function documentedTools(origin: string): Promise<readonly DocumentedTool[]> {
  const { status, text } = await send(origin, { method: 'GET', path: '/openapi.json' });
  expect(status).toBe(200);
  const document: unknown = JSON.parse(text);
  const { servers, paths } = resolved(document, document) as Document;
  const base = servers[0]?.url ?? '';
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags?.includes('Board'))
      .map(([method, operation]) => ({
        name: operation.operationId,
        inputSchema: inputOf(operation),
        outputSchema: outputOf(operation),
        method: method.toUpperCase(),
        path: base + path,
      })),
  );
}
