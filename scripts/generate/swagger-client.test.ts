import { describe, expect, it } from 'vitest';
import { clientOf } from './swagger-client.ts';

const FILE = 'docs/swagger.yaml';

describe('the client of docs/swagger.yaml', () => {
  it('[R6.8] is made of what the file says', async () => {
    const document = 'openapi: 3.1.0\npaths: { /api/tea: { get: { operationId: pour, responses: {} } } }\n';

    expect(await clientOf(FILE, document)).toContain('export function pour(');
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
    const refused = clientOf(FILE, document);

    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow(/^docs\/swagger\.yaml .+$/);
  });
});
