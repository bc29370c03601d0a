import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalog } from './catalog.ts';
import { defineTool } from './define.ts';
import { listedInput, listedOutput } from './listed-schema.ts';
import { PROFILES } from './profiles.ts';
import type { JsonSchema } from './schema.ts';

const tools = catalog.filter(({ mcp, profile }) => mcp && PROFILES[profile].mcp);

const row = z.object({
  task_id: z.string().meta({ format: 'uuid' }).nullable().describe('Task (UUID); null for none.'),
  made_at: z.iso.datetime().describe('Made (RFC 3339).'),
});

const aTool = (output: z.core.$ZodLooseShape, input: z.core.$ZodLooseShape = {}) =>
  defineTool({
    name: 'list_things',
    title: 'List',
    description: 'Lists.',
    scope: 'board:read',
    effect: 'read',
    route: 'GET /things',
    input: z.object(input),
    output: z.object(output),
    run: async () => ({}),
  });

/** The paths of fields without a description. */
function undescribed(schema: JsonSchema, path: string): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${path}.${name}`]),
    ...undescribed(field, `${path}.${name}`),
  ]);
  return schema.items === undefined ? fields : [...fields, ...undescribed(schema.items as JsonSchema, `${path}[]`)];
}

describe('the schemas that tools/list shows', () => {
  it('describe every field, whether a profile is listed alone or with the others', () => {
    const bare = tools.flatMap((tool) => [
      ...undescribed(listedInput(tool), `${tool.full_name}.input`),
      ...undescribed(listedOutput(tool, false), `${tool.full_name}.output`),
      ...undescribed(listedOutput(tool, true), `${tool.full_name}.together`),
    ]);

    expect(bare).toEqual([]);
  });

  it('name every field of every answer, at any depth', () => {
    const namesIn = (schema: JsonSchema): string[] => {
      const within = [schema.items, ...(schema.anyOf ?? []), ...((schema.oneOf as JsonSchema[] | undefined) ?? [])];
      return [
        ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [name, ...namesIn(field)]),
        ...within.flatMap((part) => (typeof part === 'object' ? namesIn(part as JsonSchema) : [])),
      ];
    };
    const missing = tools.flatMap((tool) => {
      const all = new Set(namesIn(z.toJSONSchema(tool.output, { io: 'output' }) as JsonSchema));
      return [true, false].flatMap((isTogether) => {
        const text = JSON.stringify(listedOutput(tool, isTogether));
        return [...all].filter((name) => !new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${tool.name}.${name}`);
      });
    });

    expect(missing).toEqual([]);
  });

  it('accept every answer and every failure, in a validator', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const failure = { error: { code: 'not_found', message: 'No.', retryable: false, correlation_id: 'c' } };
    const failed = { success: false, error: 'No.', error_code: 'not_found' };

    for (const tool of tools) {
      for (const isTogether of [true, false]) {
        const fits = ajv.compile(listedOutput(tool, isTogether));
        expect(fits(tool.envelope === null ? failure : failed)).toBe(true);
      }
    }
  });

  it('spell the rows of a list out at the address of its profile, with a format instead of a pattern', () => {
    const tool = aTool({ rows: z.array(row).describe('The rows.') }, { cursor: z.string().describe('Cursor.') });

    expect(listedOutput(tool, false).properties?.rows).toEqual({
      type: 'array',
      description: 'The rows',
      items: {
        type: 'object',
        properties: {
          task_id: { type: ['string', 'null'], format: 'uuid', description: 'Task' },
          made_at: { type: 'string', format: 'date-time', description: 'Made (RFC 3339)' },
        },
      },
    });
  });

  it('name the fields of a long answer in one sentence where several profiles are listed together', () => {
    const long = Object.fromEntries('abcdefghi'.split('').map((name) => [name, z.string().describe('Text.')]));
    const tool = aTool({ ...long, rows: z.array(row).describe('The rows.') });

    const { description, properties = {} } = listedOutput(tool, true);

    expect(description).toBe('The answer {a, b, c, d, e, f, g, h, i, rows {task_id, made_at}}');
    expect(Object.keys(properties)).toEqual(['error']);
  });

  it('describe the error of a failed call in one line', () => {
    const { error } = listedOutput(aTool({ done: z.boolean().describe('Done.') }), false).properties ?? {};

    expect(error).toEqual({ type: 'object', description: 'Failure {code, message, hint, retryable}' });
  });

  it('list idempotency_key where a repeated call would have a second effect, or where it is required', () => {
    const listed = tools.filter((tool) => 'idempotency_key' in (listedInput(tool).properties ?? {}));
    const wanted = tools.filter(({ input, idempotent, needs_key }) => {
      const takesKey = 'idempotency_key' in input.shape;
      return takesKey && (needs_key || !idempotent);
    });

    expect(listed.map(({ full_name }) => full_name)).toEqual(wanted.map(({ full_name }) => full_name));
    expect(listed.map(({ full_name }) => full_name)).toEqual(
      expect.arrayContaining(['create_task', 'tasker_move_issue']),
    );
    expect(listed.map(({ full_name }) => full_name)).not.toContain('update_task');
  });

  it('leave out constraints of arguments that their description states', () => {
    const limit = z.int().min(1).max(200).describe('At most so many rows, 1 to 200.');

    const { properties } = listedInput(aTool({}, { limit, kinds: z.array(z.string()).default([]).describe('Kinds.') }));

    expect(properties).toEqual({
      limit: { type: 'integer', description: 'At most so many rows, 1 to 200.' },
      kinds: { type: 'array', description: 'Kinds.', items: { type: 'string' } },
    });
  });
});
