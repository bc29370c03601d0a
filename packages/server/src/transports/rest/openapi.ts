import { ERRORS } from '#errors';
import type { Tool } from '#tools/catalog';
import { PROFILES } from '#tools/profiles';
import { inputSchema, type JsonSchema, outputSchema } from '#tools/schema';
import { fieldsOf } from '#transports/fields';
import { eventsPath } from './events-path.ts';
import { hasBody } from './input.ts';
import { Setup } from './setup.ts';

export const ERROR_STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))].toSorted((a, b) => a - b);

const ERROR: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'retryable', 'correlation_id'],
      properties: {
        code: { type: 'string', description: 'What went wrong, for programs.' },
        message: { type: 'string', description: 'What went wrong and what to do, for people and models.' },
        details: { type: 'object', description: 'Facts: the field at fault, the values it takes.' },
        hint: { type: 'string', description: 'What to do next.' },
        retryable: { type: 'boolean', description: 'Whether the same call may succeed later.' },
        retry_after_ms: { type: 'integer', description: 'How long to wait before calling again, in milliseconds.' },
        correlation_id: { type: 'string', description: 'Finds this call in the logs.' },
      },
    },
  },
};

export const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

export function without(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  const { properties = {}, required = [] } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    required: required.filter((name) => !names.has(name)),
  };
}

const errorResponses = Object.fromEntries(
  ERROR_STATUSES.map((status) => {
    const codes = Object.entries(ERRORS).flatMap(([code, error]) => (error.status === status ? [code] : []));
    return [
      status,
      { description: `One of: ${codes.join(', ')}.`, content: json({ $ref: '#/components/schemas/Error' }) },
    ];
  }),
);

const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same as the field idempotency_key.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

export function parametersOf(tool: Tool, inPath: ReadonlySet<string>) {
  const fields = fieldsOf(tool);
  const parameters = fields
    .filter(({ name }) => inPath.has(name) || !(hasBody(tool) || name === 'idempotency_key'))
    .map(({ name, required, description, schema }) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required: required || inPath.has(name),
      description,
      schema,
    }));
  return fields.some(({ name }) => name === 'idempotency_key') ? [...parameters, KEY_PARAMETER] : parameters;
}

export function rightsText({ scopes, field_scopes }: Tool): string {
  const needed = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;
  const more = Object.entries(field_scopes).map(([field, scope]) => ` With \`${field}\` also \`${scope}\`.`);
  return `${needed}${more.join('')}`;
}

export const fieldsInPath = ({ route }: Pick<Tool, 'route'>): ReadonlySet<string> =>
  new Set([...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));

function operationOf(tool: Tool): unknown {
  const inPath = fieldsInPath(tool);
  const status = tool.effect === 'create' ? 201 : 200;
  return {
    operationId: tool.full_name,
    summary: tool.title,
    description: `${tool.description}\n\n${rightsText(tool)}`,
    tags: [PROFILES[tool.profile].title],
    parameters: parametersOf(tool, inPath),
    ...(hasBody(tool) && {
      requestBody: { required: true, content: json(without(inputSchema(tool), inPath)) },
    }),
    responses: {
      [status]: { description: 'It is done.', content: json(outputSchema(tool)) },
      ...errorResponses,
    },
  };
}

function pathsOf(tools: readonly Tool[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const tool of tools) {
    const [method = 'GET', path = '/'] = tool.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(tool) };
  }
  return paths;
}

const callAnyTool = (tools: readonly Tool[]) => ({
  post: {
    operationId: 'call_tool',
    summary: 'Call any tool by its name',
    description: 'Takes the arguments of the tool and answers what it answers.',
    tags: ['Tools'],
    parameters: [
      {
        name: 'tool',
        in: 'path',
        required: true,
        description: 'The full name of the tool.',
        schema: { type: 'string', enum: tools.map(({ full_name }) => full_name) },
      },
      KEY_PARAMETER,
    ],
    requestBody: { required: true, content: json({ type: 'object' }) },
    responses: {
      200: { description: 'It is done.', content: json({ type: 'object' }) },
      201: { description: 'It is done and made something.', content: json({ type: 'object' }) },
      ...errorResponses,
    },
  },
});

const agentSetup = {
  get: {
    operationId: 'agent_session_setup',
    summary: 'Set an agent up',
    description:
      'How the holder of this token is connected: configuration, commands, the tools it may call, and text for AGENTS.md. The token is in no part of the answer.',
    tags: ['Agents'],
    responses: {
      200: { description: 'How to connect.', content: json(outputSchema({ output: Setup })) },
      ...errorResponses,
    },
  },
};

export const TOKEN_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token of Errand: errand token create, errand agent create.',
};

/** The REST interface as an OpenAPI 3.1 document, computed from the catalogue. */
export const openApi = (tools: readonly Tool[], version: string): unknown => ({
  openapi: '3.1.0',
  info: {
    title: 'Errand',
    version,
    description: 'Every tool of Errand over HTTP. The same calls, rights and answers as over MCP.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/api/v1' }],
  security: [{ token: [] }],
  paths: {
    ...pathsOf(tools),
    '/tools/{tool}': callAnyTool(tools),
    '/agent-session/setup': agentSetup,
    '/events': eventsPath(errorResponses),
  },
  components: {
    schemas: { Error: ERROR },
    securitySchemes: { token: TOKEN_SCHEME },
  },
});
