import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { McpHost } from './host.ts';
import { isObject } from './json.ts';
import { createRevision2025 } from './rev-2025/revision.ts';
import { createRevision2026 } from './rev-2026/revision.ts';
import { aHost, TOOLS } from './testing/a-host.ts';
import { a2025Request, a2026Request, INITIALIZE, type Message } from './testing/messages.ts';
import { type Answer, openHttp } from './testing/open-http.ts';

const REVISIONS = [
  ['2025', createRevision2025(false)],
  ['2026', createRevision2026({ name: 'test', version: '1' }, false)],
] as const;

describe.each(REVISIONS)('revision %s', (_name, revision) => {
  it('encodes a list again only when it is another array', () => {
    const tools = [...TOOLS];

    const first = revision.tools(tools, null);
    tools.length = 0;

    expect(revision.tools(tools, null)).toBe(first);
    expect(revision.tools([...TOOLS], null)).toBe(first);
    expect(revision.tools([], null)).not.toBe(first);
  });

  it('[M2.7] gives the model the exact text of the structured answer', () => {
    fc.assert(
      fc.property(fc.object(), fc.boolean(), (value, failed) => {
        const json = JSON.stringify(value);

        const result = revision.toolResult({ kind: 'json', json, failed });

        const content = [{ type: 'text', text: json }];
        expect(JSON.parse(result)).toMatchObject({ content, structuredContent: JSON.parse(json) });
        expect(result).toContain(`"structuredContent":${json}`);
        expect(result.includes('"isError":true')).toBe(failed);
      }),
    );
  });
});

const SPEC = new URL('../../tasks/schema/', import.meta.url);

function validatorOf(revision: string): (definition: string) => ValidateFunction {
  const schema = JSON.parse(readFileSync(new URL(`mcp-${revision}.schema.json`, SPEC), 'utf8')) as object;
  const options = { strict: false, allErrors: true, validateFormats: false };
  const ajv = '$defs' in schema ? new Ajv2020(options) : new Ajv(options);
  ajv.addSchema({ ...schema, $id: 'mcp' });
  const folder = '$defs' in schema ? '$defs' : 'definitions';
  return (definition) => ajv.compile({ $ref: `mcp#/${folder}/${definition}` });
}

const full: McpHost<string> = {
  ...aHost(),
  resources: {
    list: () => [{ uri: 'test:a', name: 'a' }],
    templates: () => [{ uriTemplate: 'test:{a}', name: 'a' }],
    read: async (uri) => ({ kind: 'contents', contents: [{ uri, text: 'a' }] }),
  },
  prompts: {
    list: () => [{ name: 'a', arguments: [{ name: 'b', required: true }] }],
    get: async () => ({
      kind: 'messages',
      description: 'a',
      messages: [{ role: 'user', content: { type: 'text', text: 'a' } }],
    }),
  },
  complete: async () => ['a', 'b'],
};

const completion = { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'b', value: '' } };
const able = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

const shared = (request: typeof a2026Request): readonly (readonly [string, Message])[] => [
  ['ListToolsResult', request('tools/list')],
  ['CallToolResult', request('tools/call', { name: 'echo', arguments: { a: 1 } })],
  ['CallToolResult', request('tools/call', { name: 'fail' })],
  ['CallToolResult', request('tools/call', { name: 'tell' })],
  ['ListResourcesResult', request('resources/list')],
  ['ListResourceTemplatesResult', request('resources/templates/list')],
  ['ReadResourceResult', request('resources/read', { uri: 'test:a' })],
  ['ListPromptsResult', request('prompts/list')],
  ['GetPromptResult', request('prompts/get', { name: 'a' })],
  ['CompleteResult', request('completion/complete', completion)],
];

const ANSWERS: Readonly<Record<string, readonly (readonly [string, Message])[]>> = {
  '2025-06-18': [...shared(a2025Request as typeof a2026Request), ['InitializeResult', INITIALIZE]],
  '2025-11-25': [...shared(a2025Request as typeof a2026Request), ['InitializeResult', INITIALIZE]],
  '2026-07-28': [
    ...shared(a2026Request),
    ['DiscoverResult', a2026Request('server/discover')],
    ['InputRequiredResult', a2026Request('tools/call', { name: 'ask' }, able)],
    ['HeaderMismatchError', { ...a2026Request('tools/list'), headers: {} }],
    ['MissingRequiredClientCapabilityError', a2026Request('tools/call', { name: 'ask' })],
    ['JSONRPCErrorResponse', a2026Request('tools/burn')],
  ],
};

const resultOf = ({ json }: Answer): unknown => {
  const { result }: { readonly result?: unknown } = isObject(json) ? json : {};
  return result;
};

describe('the schemas of the specification', () => {
  const cases = Object.entries(ANSWERS).flatMap(([revision, answers]) =>
    answers.map(([definition, message]) => {
      const { method }: { readonly method?: unknown } = message.body;
      return { revision, definition, message, method };
    }),
  );

  it.each(cases)(
    '[M2.5] of $revision take the answer to $method as a $definition',
    async ({ revision, definition, message }) => {
      await using http = await openHttp(full);
      const validate = validatorOf(revision)(definition);

      const answer = await http.send(message);

      const subject = definition.endsWith('Result') ? resultOf(answer) : answer.json;
      expect(validate(subject), JSON.stringify(validate.errors)).toBe(true);
    },
  );
});
