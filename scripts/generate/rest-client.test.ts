import { describe, expect, it } from 'vitest';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { openApi } from '../../packages/server/src/transports/rest/openapi.ts';
import type { ApiDocument } from './document-part.ts';
import { clientOf } from './rest-client.ts';
import { swagger } from './swagger.ts';

const FILE = 'docs/swagger.yaml';

const WHOLE: ApiDocument = {
  openapi: '3.1.0',
  servers: [{ url: '/api/v1' }],
  paths: {
    '/cups': { get: { operationId: 'list_cups', responses: {} } },
    '/api/coffee': { get: { operationId: 'report_brew', servers: [{ url: '/' }], responses: {} } },
  },
  components: {},
};

const clientWith = (text: string | null): Promise<string> => clientOf(WHOLE, { file: FILE, text });

describe('the generated client', () => {
  it('[R6.8] has the Task Manager API as docs/swagger.yaml says, and the rest as the tools say', async () => {
    const document = 'openapi: 3.1.0\npaths: { /api/tea: { get: { operationId: pour, responses: {} } } }\n';

    const client = await clientWith(document);

    expect(client).toMatch(/export function reportPour\([\s\S]*?"\/api\/tea"/);
    expect(client).toMatch(/export function listCups\([\s\S]*?"\/api\/v1\/cups"/);
    expect(client).not.toContain('reportBrew');
  });

  it.each([
    ['missing', null, 'docs/swagger.yaml is missing: npm run generate writes it.'],
    ['empty', '', 'it is not an object'],
    ['a text', 'openapi', 'it is not an object'],
    ['no YAML', 'paths: [1', 'at line 1'],
    ['no OpenAPI', '{}', 'docs/swagger.yaml makes no client: '],
    ['of another version', 'swagger: "2.0"\npaths: { /a: { get: {} } }', 'Only OpenAPI v3'],
    ['without paths', 'openapi: 3.1.0\npaths: {}', 'it has no paths'],
    [
      'about what is not there',
      'openapi: 3.1.0\npaths: { /a: { get: { responses: { default: { $ref: "#/no" } } } } }',
      '#/no',
    ],
  ])('[R6.8] is refused in one line when the file is %s', async (_, document, why) => {
    const refused = clientWith(document);

    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow(/^docs\/swagger\.yaml .+$/);
  });

  it('[R6.8] has a function for every operation of the document', async () => {
    const whole = JSON.parse(JSON.stringify(openApi(catalog, '1.2.3'))) as ApiDocument;
    const ids = Object.values(whole.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));

    const client = await clientOf(whole, { file: FILE, text: swagger(catalog, '1.2.3') });

    const named = [...client.matchAll(/^export function (\w+)\(/gm)].map(([, name = '']) => name.toLowerCase());
    expect(named.toSorted()).toEqual(ids.map((id) => id.replaceAll('_', '')).toSorted());
  });
});
