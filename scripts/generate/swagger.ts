import { stringify } from 'yaml';
import type { Tool } from '../../packages/server/src/tools/catalog.ts';
import { inputSchema, type JsonSchema, outputSchema } from '../../packages/server/src/tools/schema.ts';
import { hasBody } from '../../packages/server/src/transports/rest/input.ts';
import {
  ERROR_STATUSES,
  fieldsInPath,
  json,
  parametersOf,
  rightsText,
  TOKEN_SCHEME,
  without,
} from '../../packages/server/src/transports/rest/openapi.ts';
import { named, nouns, reference, type Schemas, withNames } from './swagger-schemas.ts';

const pascal = (snake: string): string => snake.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const nounOf = ({ name }: Tool): string => pascal(name.slice(name.indexOf('_') + 1));

/** `create_step` takes a StepCreate, `update_step` a StepPatch. */
const takenName = (tool: Tool): string => `${nounOf(tool)}${tool.effect === 'create' ? 'Create' : 'Patch'}`;

/** `list_steps` answers a ListOfSteps. */
const listName = (tool: Tool): string => `ListOf${nounOf(tool)}`;

const isList = ({ name }: Tool): boolean => name.startsWith('list_');

// A key may also come in the body; the header is the one place that every operation has.
const takenSchema = (tool: Tool): JsonSchema =>
  withNames(without(inputSchema(tool), new Set([...fieldsInPath(tool), 'idempotency_key'])));

const spelled = (field: string): string => field.replaceAll('_', '-');

function parametersHere(tool: Tool) {
  const inPath = fieldsInPath(tool);
  const key = inputSchema(tool).properties?.idempotency_key;
  return parametersOf(tool, inPath).map(({ name, description, schema, ...parameter }) => {
    const { description: _, ...bare }: JsonSchema = schema;
    return {
      name: inPath.has(name) ? spelled(name) : name,
      ...parameter,
      description: parameter.in === 'header' ? (key?.description ?? description) : description,
      schema: named(bare),
    };
  });
}

const answerOf = (tool: Tool): JsonSchema => (isList(tool) ? reference(listName(tool)) : named(outputSchema(tool)));

/** Whether it answers everybody: a check of health comes before any token. */
const isOpen = ({ route }: Tool): boolean => route === 'GET /health';

function operationOf(tool: Tool): unknown {
  const parameters = parametersHere(tool);
  return {
    operationId: tool.route.startsWith('PATCH ') ? tool.name.replace(/^update_/, 'patch_') : tool.name,
    summary: tool.title,
    description: isOpen(tool) ? tool.description : `${tool.description}\n\n${rightsText(tool)}`,
    tags: ['executions'],
    ...(isOpen(tool) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(tool) && { requestBody: { required: true, content: json(reference(takenName(tool))) } }),
    responses: {
      [tool.effect === 'create' ? '201' : '200']: { description: 'It is done.', content: json(answerOf(tool)) },
      default: { $ref: '#/components/responses/Failure' },
    },
  };
}

function pathsOf(tools: readonly Tool[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const tool of tools) {
    const [method = 'GET', route = '/'] = tool.route.split(' ');
    const path = `/api${route.replaceAll(/\{(\w+)\}/g, (_, field: string) => `{${spelled(field)}}`)}`;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(tool) };
  }
  return paths;
}

const schemasOf = (tools: readonly Tool[]): Schemas => ({
  ...nouns,
  ...Object.fromEntries(tools.filter(hasBody).map((tool) => [takenName(tool), takenSchema(tool)])),
  ...Object.fromEntries(tools.filter(isList).map((tool) => [listName(tool), withNames(outputSchema(tool))])),
});

const document = (tools: readonly Tool[], version: string): unknown => ({
  openapi: '3.1.0',
  info: {
    title: 'Task Manager',
    version,
    description: 'Where runs of agents are reported to: their sessions, their steps and what else happens in them.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: 'http://localhost:8080' }],
  security: [{ token: [] }],
  tags: [{ name: 'executions', description: 'Runs of agents and what is reported of them.' }],
  paths: pathsOf(tools),
  components: {
    schemas: schemasOf(tools),
    responses: {
      Failure: {
        description: `It was not done: ${ERROR_STATUSES.join(', ')}.`,
        content: json(reference('Error')),
      },
    },
    securitySchemes: { token: TOKEN_SCHEME },
  },
});

/** The Task Manager API, the tools of the executions profile below `/api`, as an OpenAPI document in YAML. */
export const swagger = (tools: readonly Tool[], version: string): string =>
  stringify(
    document(
      tools.filter(({ profile }) => profile === 'executions'),
      version,
    ),
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
