import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { openApi } from '../../packages/server/src/transports/rest/openapi.ts';
import { type ApiDocument, withPart } from './document-part.ts';
import { swagger } from './swagger.ts';

describe('the Task Manager API as a part of the OpenAPI document', () => {
  const whole = JSON.parse(JSON.stringify(openApi(catalog, '1.2.3'))) as ApiDocument;
  const part = swagger(catalog, '1.2.3');

  it('restores the whole document when it is put back', () => {
    expect(withPart(whole, parse(part) as ApiDocument)).toEqual(whole);
  });

  it('replaces its part of the whole document', () => {
    const edited = parse(
      part.replaceAll('step_name', 'step_title').replace('/api/health:', '/api/alive:'),
    ) as ApiDocument;

    const { paths, components } = withPart(whole, edited);

    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/alive', '/executions', '/tools/{tool}']));
    expect(paths).not.toHaveProperty(['/api/health']);
    expect(components.schemas?.StepCreate).toMatchObject({ required: ['step_title'] });
  });
});
