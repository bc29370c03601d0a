import type { Tool } from '#tools/catalog';
import { answerSchema } from '#tools/envelope';
import { executionBody, feedBody, healthBody, stepBody } from '#tools/executions/fields';
import { inputSchema, type JsonSchema, outputSchema } from '#tools/schema';
import { componentName } from './component-name.ts';
import { hasBody } from './input.ts';
import {
  bodyOf,
  failureText,
  fieldsInPath,
  json,
  type Paths,
  parametersOf,
  rightsText,
  statusOf,
} from './operation-parts.ts';
import { reference, type Schemas } from './shared-schemas.ts';
import { isReportTool, REPORTS } from './tool-endpoints.ts';

/** The prefix of the operation ids of `/api`: the same tools are also operations of `/api/v1`. */
export const REPORT_PREFIX = 'report_';

const nounOf = ({ name }: Tool): string => componentName(name.slice(name.indexOf('_') + 1));

/** `create_step` takes a StepCreate, `update_step` a StepPatch. */
const bodyName = (tool: Tool): string => `${nounOf(tool)}${tool.effect === 'create' ? 'Create' : 'Patch'}`;

const isList = ({ name }: Tool): boolean => name.startsWith('list_');

// A key may also be in the body, but only the header exists in every operation.
const takenBy = (tool: Tool): JsonSchema => bodyOf(tool, 'idempotency_key');

const described = (schema: JsonSchema | undefined, description: string): JsonSchema => ({ ...schema, description });

/** The schemas of runs and their steps, by their names in the Task Manager API. */
export function reportNouns(tools: readonly Tool[]): Schemas {
  const reports = tools.filter(isReportTool);
  const [step, execution, entry] = [stepBody, executionBody, feedBody].map((output) => outputSchema({ output }));
  const usage = execution?.properties?.usage?.anyOf?.[0];
  return {
    StepStatus: described(step?.properties?.status, 'Where a step stands.'),
    ExecutionStatus: described(execution?.properties?.status, 'Where an execution stands.'),
    FeedKind: described(entry?.properties?.kind, 'What kind of thing happened.'),
    Usage: described(usage, 'What an execution has cost so far.'),
    Step: { ...step },
    Execution: { ...execution },
    FeedEntry: { ...entry },
    Health: outputSchema({ output: healthBody }),
    ...Object.fromEntries(reports.filter(hasBody).map((tool) => [bodyName(tool), takenBy(tool)])),
    ...Object.fromEntries(reports.filter(isList).map((tool) => [`ListOf${nounOf(tool)}`, outputSchema(tool)])),
  };
}

/** A failure in the form of the Task Manager API. */
export function reportErrorSchema(): JsonSchema {
  const { error = {}, error_code = {}, valid_statuses = {} } = answerSchema({ envelope: '' }, {}).properties ?? {};
  return {
    type: 'object',
    description: 'Instead of an answer, when it was not done.',
    properties: { error, error_code, valid_statuses },
    required: ['error'],
  };
}

export const reportFailureResponse = {
  description: `It was not done.\n\n${failureText}`,
  content: json(reference('ReportError')),
};

const spelled = (field: string): string => field.replaceAll('_', '-');

function parametersHere(tool: Tool, share: (schema: JsonSchema) => JsonSchema) {
  const inPath = fieldsInPath(tool);
  const key = inputSchema(tool).properties?.idempotency_key;
  return parametersOf(tool).map((parameter) => ({
    ...parameter,
    name: inPath.has(parameter.name) ? spelled(parameter.name) : parameter.name,
    description: parameter.in === 'header' ? (key?.description ?? parameter.description) : parameter.description,
    schema: share(parameter.schema),
  }));
}

/** Whether callers without a token are answered too. */
const isOpen = ({ route }: Tool): boolean => route === 'GET /health';

function operationOf(tool: Tool, share: (schema: JsonSchema) => JsonSchema) {
  const parameters = parametersHere(tool, share);
  const name = tool.route.startsWith('PATCH ') ? tool.name.replace(/^update_/, 'patch_') : tool.name;
  return {
    operationId: `${REPORT_PREFIX}${name}`,
    summary: tool.title,
    description: isOpen(tool) ? tool.description : `${tool.description}\n\n${rightsText(tool)}`,
    tags: ['executions'],
    servers: [{ url: '/' }],
    ...(isOpen(tool) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(tool) && { requestBody: { required: true, content: json(reference(bodyName(tool))) } }),
    responses: {
      [statusOf(tool)]: { description: 'It is done.', content: json(share(outputSchema(tool))) },
      default: { $ref: '#/components/responses/ReportFailure' },
    },
  };
}

/** The tools that report runs below `/api`: the Task Manager API. */
export function reportPaths(tools: readonly Tool[], share: (schema: JsonSchema) => JsonSchema): Paths {
  const paths: Record<string, Paths[string]> = {};
  for (const tool of tools.filter(isReportTool)) {
    const [method = 'GET', route = '/'] = tool.route.split(' ');
    const path = `${REPORTS}${route.replaceAll(/\{(\w+)\}/g, (_, field: string) => `{${spelled(field)}}`)}`;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(tool, share) };
  }
  return paths;
}
