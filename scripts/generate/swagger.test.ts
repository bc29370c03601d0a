import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { swagger } from './swagger.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const text = swagger(catalog, '1.2.3');
// The cast: only the parts of OpenAPI that the tests read.
const { paths, components } = parse(text) as Document;

const schema = (name: string): Schema => components.schemas[name] ?? {};
const STATUS = expect.objectContaining({ $ref: '#/components/schemas/StepStatus' });
const TEXT = expect.objectContaining({ type: 'string' });

describe('docs/swagger.yaml', () => {
  it.each([
    ['patch', '/api/executions/{execution-id}', 'patch_execution', 'ExecutionPatch'],
    ['post', '/api/executions/{execution-id}/steps', 'create_step', 'StepCreate'],
    ['patch', '/api/executions/{execution-id}/steps/{step-id}', 'patch_step', 'StepPatch'],
    ['get', '/api/health', 'health_check', undefined],
  ])('[R6.1, R6.2, R6.3, R6.4] takes %s %s as %s, with the body %s', (method, path, operation, body) => {
    const { operationId, parameters = [], requestBody } = paths[path]?.[method] ?? {};

    expect(operationId).toBe(operation);
    expect(requestBody?.content['application/json'].schema.$ref?.split('/').at(-1)).toBe(body);
    const named = [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name);
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(named);
  });

  it('has every tool of the executions profile and nothing else', () => {
    const tools = catalog.filter(({ profile }) => profile === 'executions');

    const operations = Object.values(paths).flatMap((path) => Object.values(path));

    const ids = operations.map(({ operationId }) => operationId.replace(/^patch_/, 'update_'));
    expect(ids.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('says 201 where something is created', () => {
    expect(paths['/api/executions']?.post?.responses).toHaveProperty('201');
    expect(paths['/api/executions']?.get?.responses).toHaveProperty('200');
  });

  it('asks for no token where health is asked for', () => {
    expect(paths['/api/health']?.get?.security).toEqual([]);
    expect(paths['/api/executions']?.post?.security).toBeUndefined();
  });

  it('[R7.1] names the four statuses of a step', () => {
    expect(schema('StepStatus').enum).toEqual(['running', 'completed', 'failed', 'skipped']);
    expect(schema('Step').properties?.status?.$ref).toBe('#/components/schemas/StepStatus');
  });

  it('[R7.2] has session_id and worktree_path in a patch of an execution, both optional', () => {
    expect(schema('ExecutionPatch').properties).toMatchObject({ session_id: TEXT, worktree_path: TEXT });
    expect(schema('ExecutionPatch').required ?? []).toEqual([]);
  });

  it('[R7.3] has step_name in a new step, and message and status, which are optional', () => {
    expect(schema('StepCreate').properties).toEqual({ step_name: TEXT, message: TEXT, status: STATUS });
    expect(schema('StepCreate').required).toEqual(['step_name']);
  });

  it('[R7.4] has status and message in a patch of a step, both optional', () => {
    expect(schema('StepPatch').properties).toEqual({ status: STATUS, message: TEXT });
    expect(schema('StepPatch').required ?? []).toEqual([]);
  });

  it('refers to nothing that it does not have', () => {
    const references = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);

    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((name) => !Object.hasOwn(components.schemas, name))).toEqual([]);
  });
});
