import { describe, expect, it } from 'vitest';
import { ask, createServed } from '#testing/served';
import { catalog } from '#tools/catalog';
import { openApi } from './openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: { readonly required: string[] } }> };
  readonly responses: Record<string, unknown>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

// The document is plain JSON; these are the parts of OpenAPI that the tests look at.
const document = openApi(catalog, '1.2.3') as Document;

const operation = (method: string, path: string): Operation | undefined => document.paths[path]?.[method];

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
    expect(complete?.requestBody?.content['application/json']?.schema.required).toEqual(['user_id']);
    expect(remove?.requestBody).toBeUndefined();
    expect(remove?.parameters.map(({ name, in: place }) => [name, place])).toEqual([
      ['user_id', 'query'],
      ['task_id', 'path'],
      ['Idempotency-Key', 'header'],
    ]);
  });

  it('says 201 where something is made', () => {
    expect(operation('post', '/todo/tasks')?.responses).toHaveProperty('201');
    expect(operation('get', '/todo/tasks')?.responses).toHaveProperty('200');
  });

  it('is served to everyone', async () => {
    await using served = await createServed();

    const said = await ask(`${served.url}/openapi.json`);

    expect(said.status).toBe(200);
    expect(said.json).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
