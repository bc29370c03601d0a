import { describe, expect, it } from 'vitest';
import { ask, createServed } from '#testing/served';
import { catalog } from '#tools/catalog';
import { openApi } from './openapi.ts';
import { createRest } from './rest.ts';

const document = openApi(catalog, '1.2.3');

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly body: { readonly required?: readonly string[] } | undefined;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Returns the value at a pointer of the document. */
const at = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => Reflect.get(Object(value), key.replaceAll('~1', '/')), document);

/** Returns the value with every reference resolved. */
function resolved(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return resolved(at(String(value.$ref)));
  if (Array.isArray(value)) return value.map(resolved);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner)]));
}

function operation(method: string, path: string): Described | undefined {
  // The cast: only the parts of OpenAPI that the tests read.
  const found = resolved(document.paths[path]?.[method]) as
    | (Described & {
        readonly requestBody?: { readonly content: Record<string, { readonly schema: Described['body'] }> };
      })
    | undefined;
  return found && { ...found, body: found.requestBody?.content['application/json']?.schema };
}

describe('the OpenAPI document', () => {
  it('holds every tool at its route', () => {
    for (const tool of catalog) {
      const [method = '', path = ''] = tool.route.split(' ');
      expect(operation(method.toLowerCase(), path)?.operationId).toBe(tool.full_name);
    }
  });

  it('puts a field into the path, the query or the body, and nowhere twice', () => {
    const complete = operation('post', '/todo/tasks/{task_id}/complete');
    const remove = operation('delete', '/todo/tasks/{task_id}');

    expect(complete?.parameters.map(({ name, in: place }) => [name, place])).toEqual([
      ['task_id', 'path'],
      ['Idempotency-Key', 'header'],
    ]);
    expect(complete?.body?.required).toEqual(['user_id']);
    expect(remove?.body).toBeUndefined();
    expect(remove?.parameters.map(({ name, in: place }) => [name, place])).toEqual([
      ['user_id', 'query'],
      ['task_id', 'path'],
      ['Idempotency-Key', 'header'],
    ]);
  });

  it('says 201 where something is created', () => {
    expect(operation('post', '/todo/tasks')?.responses).toHaveProperty('201');
    expect(operation('get', '/todo/tasks')?.responses).toHaveProperty('200');
  });

  it('has an operation for every endpoint of the router, and no other', async () => {
    const unused = () => Promise.reject(new Error('nothing is asked'));
    const { endpoints } = createRest({
      tools: catalog,
      gateway: { dispatch: unused, visible: () => [], asAgent: () => Promise.reject(new Error('not asked')) },
      authenticate: unused,
      profile: 'all',
      version: '1.2.3',
      events: { handle: unused },
    });

    const served = endpoints.map(({ method, path }) => `${method} ${path}`);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { servers }]) => {
        const root = servers === undefined ? document.servers[0]?.url : '';
        return `${method.toUpperCase()} ${root}${path.replaceAll(/\{.+?\}/g, (field) => field.replaceAll('-', '_'))}`;
      }),
    );
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  it('names each operation once', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );

    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  });

  it('has no dangling reference, and no unused component', () => {
    const pointers = [...JSON.stringify(document).matchAll(/"#(\/[^"]+)"/g)].map(([, pointer = '']) => pointer);
    const { securitySchemes: _, ...components } = document.components;
    const names = Object.entries(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `/components/${kind}/${name}`),
    );

    expect(pointers.filter((pointer) => at(pointer) === undefined)).toEqual([]);
    expect(names.filter((name) => !pointers.includes(name))).toEqual([]);
  });

  it('is served to everyone', async () => {
    await using served = await createServed();

    const said = await ask(`${served.url}/openapi.json`);

    expect(said.status).toBe(200);
    expect(said.json).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
