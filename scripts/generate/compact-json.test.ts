import { describe, expect, it } from 'vitest';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { openApi } from '../../packages/server/src/transports/rest/openapi.ts';
import { compactJson } from './compact-json.ts';

const MAX_LINES = 6_000;

describe('compact JSON', () => {
  const long = 'x'.repeat(190);

  it('writes an object in one line if it fits or has only plain values', () => {
    const text = compactJson({
      short: { a: 1, b: [true, null] },
      leaf: { text: long, b: [] },
      deep: { leaf: { long } },
    });

    expect(text.split('\n')).toEqual([
      '{',
      '  "short": { "a": 1, "b": [true, null] },',
      `  "leaf": { "text": "${long}", "b": [] },`,
      '  "deep": {',
      `    "leaf": { "long": "${long}" }`,
      '  }',
      '}',
      '',
    ]);
  });

  it('puts plain fields that follow each other into one line', () => {
    const text = compactJson({ a: 1, b: 'two', deep: { leaf: { long } }, c: null, d: true });

    expect(text.split('\n')).toEqual([
      '{',
      '  "a": 1, "b": "two",',
      '  "deep": {',
      `    "leaf": { "long": "${long}" }`,
      '  },',
      '  "c": null, "d": true',
      '}',
      '',
    ]);
  });

  it('fills lines with the values of a list', () => {
    const text = compactJson(['a'.repeat(130), 'b'.repeat(50), long]);

    expect(text).toBe(`[\n  "${'a'.repeat(130)}", "${'b'.repeat(50)}",\n  "${long}"\n]\n`);
  });

  it('parses to the same value', () => {
    const value = { list: Array.from({ length: 50 }, (_, index) => ({ index, text: `"${index}"\n` })) };

    expect(JSON.parse(compactJson(value))).toEqual(value);
  });

  it('keeps the OpenAPI document short enough to be read', () => {
    expect(compactJson(openApi(catalog, '1.2.3')).split('\n').length).toBeLessThan(MAX_LINES);
  });
});
