import { describe, expect, it } from 'vitest';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { swagger } from './swagger.ts';
import { swaggerDifference } from './swagger-difference.ts';

const text = swagger(catalog, '1.2.3');

describe('docs/swagger.yaml against the tools', () => {
  it('[R6.8] may be worded differently', () => {
    const edited = `# A comment of ours\n${text.replace(/summary: .*/, 'summary: In other words')}`;

    expect(edited).not.toBe(text);
    expect(swaggerDifference(edited, text)).toBeNull();
  });

  it.each([
    ['a path', /\/api\/health:/, '/api/healthy:', /^\/paths\/~1api~1health/],
    ['a type', /step_name:\n(\s+)type: string/, 'step_name:\n$1type: number', /\/properties\/step_name\/type$/],
    ['a value of an enumeration', /- skipped/, '- dropped', /StepStatus\/enum\/3$/],
  ])('[R6.8] must promise the same: %s', (_, from, to, place) => {
    const edited = text.replace(from, to);

    expect(edited).not.toBe(text);
    expect(swaggerDifference(edited, text)).toMatch(place);
  });

  it('[R6.8] compares a field that is called description', () => {
    const one = 'properties: { description: { type: string } }';
    const other = 'properties: { description: { type: number } }';

    expect(swaggerDifference(one, other)).toBe('/properties/description/type');
  });
});
