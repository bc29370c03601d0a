import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { textOf } from '#advice';
import { catalog } from './catalog.ts';
import { PROFILES } from './profiles.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
}

/** The paths of the fields that nobody described. */
function undescribed(schema: Schema, path: string): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${path}.${name}`]),
    ...undescribed(field, `${path}.${name}`),
  ]);
  return schema.items === undefined ? fields : [...fields, ...undescribed(schema.items, `${path}[]`)];
}

const inputOf = (tool: (typeof catalog)[number]) => z.toJSONSchema(tool.input, { io: 'input' }) as Schema;
const outputOf = (tool: (typeof catalog)[number]) => z.toJSONSchema(tool.output, { io: 'output' }) as Schema;

describe('the catalogue', () => {
  it('has one file for each tool, named after it', () => {
    const files = Object.keys(PROFILES).flatMap((profile) =>
      readdirSync(new URL(`./${profile}/`, import.meta.url))
        .filter((file) => !file.endsWith('.test.ts') && !/^([a-z]+-)?(fields|present|room)(-[a-z]+)*\.ts$/.test(file))
        .map((file) => `${profile}/${file}`),
    );

    const named = catalog.map(({ profile, name }) => `${profile}/${name.replaceAll('_', '-')}.ts`);

    expect(named.toSorted()).toEqual(files.toSorted());
  });

  it('gives every tool a unique name across all profiles, and every route to one tool', () => {
    const names = catalog.map(({ full_name }) => full_name);
    const routes = catalog.map(({ route }) => route.replaceAll(/\{\w+\}/g, '{}'));

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('describes every field of every input and output', () => {
    const bare = catalog.flatMap((tool) => [
      ...undescribed(inputOf(tool), `${tool.full_name}.input`),
      ...undescribed(outputOf(tool), `${tool.full_name}.output`),
    ]);

    expect(bare).toEqual([]);
  });

  it('keeps inputs flat: Claude and OpenAI reject combined schemas', () => {
    const combined = catalog.filter((tool) => /"(anyOf|oneOf|allOf)"/.test(JSON.stringify(inputOf(tool))));

    expect(combined.map(({ full_name }) => full_name)).toEqual([]);
  });

  it('keeps the texts for agents short enough for every client', () => {
    const long = Object.values(PROFILES).filter(
      ({ instructions }) => instructions.map((words) => textOf(words)).join(' ').length > 2_000,
    );

    expect(long).toEqual([]);
  });

  it('offers an idempotency key on every write, except where the answer or the arguments hold a secret', () => {
    const keyless = catalog.filter((tool) => tool.effect !== 'read' && !('idempotency_key' in tool.input.shape));

    expect(keyless.map(({ name }) => name).toSorted()).toEqual([
      'change_password',
      'create_agent',
      'create_sign_in',
      'create_token',
      'redeem_sign_in',
      'rotate_agent',
      'set_first_admin',
      'set_password',
      'sign_in',
    ]);
  });

  it('declares that tools which start agents reach beyond Errand, and that removals are destructive', () => {
    const names = (tools: typeof catalog) => tools.map(({ full_name }) => full_name).toSorted();
    const forAgents = catalog.filter(({ mcp, profile }) => mcp && PROFILES[profile].mcp);

    expect(names(forAgents.filter(({ open_world }) => open_world))).toEqual([
      'follow_up',
      'send_message',
      'send_review',
      'start_task_attempt',
    ]);
    expect(names(forAgents.filter(({ destructive }) => destructive))).toEqual([
      'delete_task',
      'remove_attempt',
      'todo_delete_task',
    ]);
  });

  it('names no tool in descriptions of a profile whose tools have a prefix at /mcp: they would be wrong there', () => {
    const ofPrefixed = catalog.filter(({ profile }) => PROFILES[profile].prefix !== '');
    const names = ofPrefixed.map(({ name }) => name).filter((name) => name.includes('_'));
    const pattern = new RegExp(`\\b(${names.join('|')})\\b`);
    const texts = (tool: (typeof catalog)[number]) =>
      JSON.stringify([tool.description, inputOf(tool), outputOf(tool)]).match(/"description":"[^"]*"|^\["[^"]*"/g) ??
      [];

    const naming = ofPrefixed.filter((tool) => texts(tool).some((text) => pattern.test(text)));

    expect(naming.map(({ full_name }) => full_name)).toEqual([]);
  });
});
