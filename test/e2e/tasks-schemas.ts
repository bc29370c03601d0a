import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const SCHEMAS = new URL('../../packages/tasks/schema/', import.meta.url);

const MCP_2025 = 'mcp-2025-11-25';
const MCP_2026 = 'mcp-2026-07-28';
const EXT_TASKS = 'ext-tasks-2026-07-28';

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
for (const name of [MCP_2025, MCP_2026, EXT_TASKS]) {
  const schema = JSON.parse(readFileSync(new URL(`${name}.schema.json`, SCHEMAS), 'utf8')) as object;
  ajv.addSchema({ ...schema, $id: name });
}

const compiled = new Map<string, ValidateFunction>();

function validatorOf(schema: string, definition: string): ValidateFunction {
  const ref = `${schema}#/$defs/${definition}`;
  const known = compiled.get(ref) ?? ajv.compile({ $ref: ref });
  compiled.set(ref, known);
  return known;
}

type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Request {
  readonly generation: string;
  readonly method: string;
  readonly params: Fields;
}

type Answer = Readonly<Partial<Record<'id' | 'method' | 'result' | 'error', unknown>>>;

type Definition = readonly [schema: string, definition: string];

const NOTIFICATIONS: Readonly<Record<string, Definition>> = {
  'notifications/tasks/status': [MCP_2025, 'TaskStatusNotification'],
  'notifications/tasks': [EXT_TASKS, 'TaskStatusNotification'],
  'elicitation/create': [MCP_2025, 'ElicitRequest'],
  'sampling/createMessage': [MCP_2025, 'CreateMessageRequest'],
};

const RESULTS_2025: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'logging/setLevel': 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tasks/get': 'GetTaskResult',
  'tasks/result': 'CallToolResult',
  'tasks/list': 'ListTasksResult',
  'tasks/cancel': 'CancelTaskResult',
};

const RESULTS_2026: Readonly<Record<string, Definition>> = {
  'server/discover': [MCP_2026, 'DiscoverResult'],
  'tools/list': [MCP_2026, 'ListToolsResult'],
  'tasks/get': [EXT_TASKS, 'GetTaskResult'],
  'tasks/update': [EXT_TASKS, 'UpdateTaskResult'],
  'tasks/cancel': [EXT_TASKS, 'CancelTaskResult'],
};

function resultDefinition({ generation, method, params }: Request, result: Fields): Definition | undefined {
  if (generation === MCP_2025) {
    if (method === 'tools/call') return [MCP_2025, 'task' in params ? 'CreateTaskResult' : 'CallToolResult'];
    const definition = RESULTS_2025[method];
    return definition === undefined ? undefined : [MCP_2025, definition];
  }
  if (method !== 'tools/call') return RESULTS_2026[method];
  if (result.resultType === 'task') return [EXT_TASKS, 'CreateTaskResult'];
  return [MCP_2026, result.resultType === 'input_required' ? 'InputRequiredResult' : 'CallToolResult'];
}

/** Validates every message of one connection against the schema of its generation. */
export interface WireCheck {
  readonly sent: (message: unknown) => void;
  readonly received: (message: unknown) => void;
  readonly violations: readonly string[];
  /** The methods that were seen, and the results of requests as `result of <method>`. */
  readonly seen: ReadonlySet<string>;
}

export function createWireCheck(): WireCheck {
  const requests = new Map<string, Request>();
  const violations: string[] = [];
  const seen = new Set<string>();
  let generation: string = MCP_2025;

  function hold(message: unknown, what: string, definition: Definition | undefined): void {
    seen.add(what);
    if (definition === undefined) return void violations.push(`No schema is known for ${what}.`);
    const validate = validatorOf(...definition);
    if (validate(message)) return;
    violations.push(`${what} is no ${definition[1]}: ${JSON.stringify(message)} ${ajv.errorsText(validate.errors)}`);
  }

  function sent(message: unknown): void {
    if (!isFields(message)) return;
    const params = isFields(message.params) ? message.params : {};
    const meta = isFields(params._meta) ? params._meta : {};
    if (typeof message.method !== 'string') return void seen.add('answer of the client');
    seen.add(message.method);
    if (!('id' in message)) return;
    generation = 'io.modelcontextprotocol/protocolVersion' in meta ? MCP_2026 : MCP_2025;
    requests.set(JSON.stringify(message.id), { generation, method: message.method, params });
  }

  function received(message: unknown): void {
    const { id, method, result, error }: Answer = isFields(message) ? message : {};
    const request = requests.get(JSON.stringify(id));
    if (typeof method === 'string') hold(message, method, NOTIFICATIONS[method] ?? [generation, 'ServerNotification']);
    else if (request === undefined) violations.push(`An answer to nothing: ${JSON.stringify(message)}`);
    else if (error !== undefined)
      hold(message, `error of ${request.method}`, [request.generation, 'JSONRPCErrorResponse']);
    else receivedResult(request, isFields(result) ? result : {});
  }

  function receivedResult(request: Request, result: Fields): void {
    hold(result, `result of ${request.method}`, resultDefinition(request, result));
    // The extension does not define the inlined result; it is the result of the call.
    if (request.generation === MCP_2026 && request.method === 'tasks/get' && 'result' in result) {
      hold(result.result, 'result in tasks/get', [MCP_2026, 'CallToolResult']);
    }
  }

  return { sent, received, violations, seen };
}
