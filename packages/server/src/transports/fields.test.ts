import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldsOf, valueFromText } from './fields.ts';

describe('fields', () => {
  it('gives for each field its type, whether it is required and its description', () => {
    const input = z.object({
      title: z.string().describe('Words.'),
      limit: z.int().optional(),
      done: z.boolean().default(false),
      status: z.enum(['a', 'b']).optional(),
      tags: z.array(z.string()).nullable().optional(),
      layout: z.object({ x: z.number() }).optional(),
      parts: z.array(z.enum(['c', 'd'])).optional(),
    });

    const fields = fieldsOf({ input });

    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['title', 'string', true],
      ['limit', 'number', false],
      ['done', 'boolean', false],
      ['status', 'string', false],
      ['tags', 'array', false],
      ['layout', 'object', false],
      ['parts', 'array', false],
    ]);
    expect(fields[0]?.description).toBe('Words.');
    expect(fields.map(({ values }) => values)).toEqual([[], [], [], ['a', 'b'], [], [], ['c', 'd']]);
  });

  it.each([
    ['number', '12', 12],
    ['number', '1.5', 1.5],
    ['number', 'many', 'many'],
    ['number', '', ''],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'perhaps', 'perhaps'],
    ['string', '12', '12'],
    ['array', 'a, b', ['a', 'b']],
    ['array', '["a,b"]', ['a,b']],
    ['array', '', []],
    ['object', '{"x":1}', { x: 1 }],
    ['object', '{x', '{x'],
  ] as const)('reads a %s from %j', (kind, text, value) => {
    expect(valueFromText(kind, text)).toEqual(value);
  });
});
