import type { Tool } from '#tools/catalog';
import { PROFILES } from '#tools/profiles';
import { type JsonSchema, outputSchema } from '#tools/schema';
import { componentName } from './component-name.ts';
import { eventsPath } from './events-path.ts';
import { hasBody } from './input.ts';
import {
  bodyOf,
  failureText,
  json,
  KEY_PARAMETER,
  type Parameter,
  type Paths,
  parametersOf,
  rightsText,
  statusOf,
} from './operation-parts.ts';
import { reportErrorSchema, reportFailureResponse, reportNouns, reportPaths } from './report-paths.ts';
import { Setup } from './setup.ts';
import { shareParameters } from './shared-parameters.ts';
import { type Rooted, reference, shareSchemas } from './shared-schemas.ts';

type Share = (schema: JsonSchema) => JsonSchema;

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

/** The failure of a tool whose answers have an envelope. */
const enveloped = (error: JsonSchema): JsonSchema => ({
  ...error,
  properties: {
    success: { type: 'boolean', const: false, description: 'Always false.' },
    ...error.properties,
    status_code: { type: 'integer', description: 'The status of this answer.' },
  },
});

const text = (description: string, type = 'string') => ({ description, schema: { type } });

const HEADERS = {
  RequestId: text('Finds this request in the logs: `X-Request-Id` or the trace of the request, or an id of its own.'),
  RetryAfter: text('How long to wait before calling again, in seconds; with 429 and 503.', 'integer'),
  Challenge: text('How to say who you are (RFC 6750); with 401.'),
  Allow: text('The methods that the address takes; with 405.'),
};

const FAILURE_HEADERS = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'Retry-After': { $ref: '#/components/headers/RetryAfter' },
  'WWW-Authenticate': { $ref: '#/components/headers/Challenge' },
  Allow: { $ref: '#/components/headers/Allow' },
};

const failureResponse = (schema: JsonSchema) => ({
  description: `It was not done.\n\n${failureText}`,
  headers: FAILURE_HEADERS,
  content: json(schema),
});

const FAILURE = { default: { $ref: '#/components/responses/Failure' } };
const ENVELOPED_FAILURE = { default: { $ref: '#/components/responses/EnvelopedFailure' } };

/** The answer of a tool at its route. */
function answerOf(tool: Tool, share: Share): JsonSchema {
  const answer = share(outputSchema(tool));
  if (tool.envelope === null) return answer;
  return {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: {
      success: { type: 'boolean', const: true, description: 'Always true.' },
      message: { type: 'string', description: 'What was done.' },
      data: answer,
    },
  };
}

function operationOf(tool: Tool, share: Share) {
  const parameters = parametersOf(tool).map((parameter) => ({ ...parameter, schema: share(parameter.schema) }));
  return {
    operationId: tool.full_name,
    summary: tool.title,
    description: `${tool.description}\n\n${rightsText(tool)}`,
    tags: [PROFILES[tool.profile].title],
    parameters,
    ...(hasBody(tool) && { requestBody: { required: true, content: json(share(bodyOf(tool))) } }),
    responses: {
      [statusOf(tool)]: { description: 'It is done.', content: json(answerOf(tool, share)) },
      ...(tool.envelope === null ? FAILURE : ENVELOPED_FAILURE),
    },
  };
}

function pathsOf(tools: readonly Tool[], share: Share): Paths {
  const paths: Record<string, Paths[string]> = {};
  for (const tool of tools) {
    const [method = 'GET', path = '/'] = tool.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(tool, share) };
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
      } satisfies Parameter,
      KEY_PARAMETER,
    ],
    requestBody: { required: true, content: json({ type: 'object' }) },
    responses: {
      200: { description: 'It is done.', content: json({ type: 'object' }) },
      201: { description: 'It is done and made something.', content: json({ type: 'object' }) },
      ...ENVELOPED_FAILURE,
    },
  },
});

const agentSetup = (share: Share) => ({
  get: {
    operationId: 'agent_session_setup',
    summary: 'Set an agent up',
    description:
      'How the holder of this token is connected: configuration, commands, the tools it may call, and text for AGENTS.md. The token is in no part of the answer. An admin names an agent to see what that one sees.',
    tags: ['Agents'],
    parameters: [
      {
        name: 'agent_id',
        in: 'query',
        required: false,
        description: 'The agent whose set-up an admin wants to see (UUID).',
        schema: { type: 'string' },
      } satisfies Parameter,
      {
        name: 'scopes',
        in: 'query',
        required: false,
        description: 'Only the tools of these scopes, separated by commas: what an agent with them would see.',
        schema: { type: 'string' },
      } satisfies Parameter,
    ],
    responses: {
      200: { description: 'How to connect.', content: json(share(outputSchema({ output: Setup }))) },
      ...FAILURE,
    },
  },
});

const documentPath = {
  get: {
    operationId: 'openapi',
    summary: 'Read this document',
    description: 'The description of the REST interface.',
    tags: ['Tools'],
    servers: [{ url: '/' }],
    security: [],
    responses: { 200: { description: 'This document.', content: json({ type: 'object' }) }, ...FAILURE },
  },
};

const rootsOf = (tools: readonly Tool[]): readonly Rooted[] => [
  ...tools.map((tool) => ({ schema: outputSchema(tool), name: `${componentName(tool.full_name)}Answer` })),
  ...tools.filter(hasBody).map((tool) => ({ schema: bodyOf(tool), name: `${componentName(tool.full_name)}Body` })),
  { schema: outputSchema({ output: Setup }), name: 'Setup' },
];

const responses = {
  Failure: failureResponse(reference('Error')),
  EnvelopedFailure: failureResponse({ anyOf: [reference('EnvelopedError'), reference('Error')] }),
  ReportFailure: { ...reportFailureResponse, headers: FAILURE_HEADERS },
};

const TOKEN_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token of Errand: errand token create, errand agent create.',
};

/** The REST interface as an OpenAPI 3.1 document, made from the catalogue. */
export function openApi(tools: readonly Tool[], version: string) {
  const { share, schemas } = shareSchemas(rootsOf(tools), reportNouns(tools));
  const { paths, parameters } = shareParameters({
    ...pathsOf(tools, share),
    '/tools/{tool}': callAnyTool(tools),
    '/agent-session/setup': agentSetup(share),
    '/events': eventsPath(FAILURE),
  });
  const reportError = reportErrorSchema();
  const all: Paths = { ...paths, '/openapi.json': documentPath, ...reportPaths(tools, share) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Errand',
      version,
      description: 'Every tool of Errand over HTTP. The same calls, rights and answers as over MCP.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths: all,
    components: {
      schemas: { ...schemas, Error: ERROR, EnvelopedError: enveloped(reportError), ReportError: reportError },
      parameters,
      headers: HEADERS,
      responses,
      securitySchemes: { token: TOKEN_SCHEME },
    },
  };
}
