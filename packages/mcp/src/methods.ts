import type { Call } from './call.ts';
import { isOffered } from './extensions.ts';
import type { InputRequired, McpHost } from './host.ts';
import { isObject, type JsonObject } from './json.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from './json-rpc.ts';
import { isPromise, type Soon } from './ready.ts';
import type { Method } from './revision.ts';
import { TASKS_VERSION, VERSION_2026 } from './versions.ts';

const MAX_ROUNDS = 8;
/** As many values as the protocol allows in one completion. */
const MAX_COMPLETIONS = 100;

interface Params {
  readonly cursor?: unknown;
  readonly name?: unknown;
  readonly uri?: unknown;
  readonly arguments?: unknown;
}

/** The methods that both generations have. */
export const SHARED_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
]);

const MAX_NAME = 200;

/** Cuts a name that the client sent, so that an error can repeat it. */
const shown = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name);

export const methodNotFound = (method: string): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `Method not found: ${shown(method)}`);

/** Returns a part of the host. When the host lacks it, the method does not exist. */
export function need<Part>(
  part: Part | undefined,
  { request }: { readonly request: { readonly method: string } },
): Part {
  if (part === undefined) throw methodNotFound(request.method);
  return part;
}

function listTools<Caller>(host: McpHost<Caller>, call: Call<Caller>): string {
  onePage(call.request.params);
  return call.revision.tools(
    host.tools.list(call.caller, call.client_capabilities),
    host.tasks && hasTasks(call) ? host.tasks.supportOf : null,
  );
}

/** Versions before 2025-11-25 have no tasks. */
export const hasTasks = ({ protocol_version }: { readonly protocol_version: string }): boolean =>
  protocol_version === TASKS_VERSION || protocol_version === VERSION_2026;

export function callTool<Caller>(host: McpHost<Caller>, call: Call<Caller>): string | Promise<string> {
  const params: Params = call.request.params;
  const name = text(params.name, 'name');
  const args = argumentsOf(params);
  const answer = host.tools.call(name, args, call);
  if (answer === undefined) {
    const meant = host.tools.meant?.(name, call.caller) ?? null;
    const advice = meant === null ? '' : `. Did you mean ${meant}?`;
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${shown(name)}${advice}`);
  }
  if (!isPromise(answer) && !isInputRequired(answer)) return call.revision.toolResult(answer);
  const again = () => host.tools.call(name, args, call);
  return answered(call, answer, again, (complete) => call.revision.toolResult(complete));
}

function listResources<Caller>(host: McpHost<Caller>, call: Call<Caller>): string {
  onePage(call.request.params);
  const part = need(host.resources, call);
  const resources = isOffered(part, call.client_capabilities) ? part.list(call.caller) : [];
  return call.revision.complete(`"resources":${JSON.stringify(resources)}`, 'list');
}

function listTemplates<Caller>(host: McpHost<Caller>, call: Call<Caller>): string {
  onePage(call.request.params);
  const part = need(host.resources, call);
  const templates = isOffered(part, call.client_capabilities) ? part.templates(call.caller) : [];
  return call.revision.complete(`"resourceTemplates":${JSON.stringify(templates)}`, 'list');
}

function readResource<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const resources = need(host.resources, call);
  const params: Params = call.request.params;
  const uri = text(params.uri, 'uri');
  const notFound = () => new RpcError(INVALID_PARAMS, `Resource not found: ${shown(uri)}`, { uri: shown(uri) });
  const found = async <Contents>(reading: Promise<Contents | undefined>): Promise<Contents> => {
    const contents = await reading;
    if (contents === undefined) throw notFound();
    return contents;
  };
  const ask = () => {
    const reading = resources.read(uri, call);
    return reading && found(reading);
  };
  const answer = ask();
  if (answer === undefined) throw notFound();
  return answered(call, answer, ask, ({ contents }) =>
    call.revision.complete(`"contents":${JSON.stringify(contents)}`, 'contents'),
  );
}

function listPrompts<Caller>(host: McpHost<Caller>, call: Call<Caller>): string {
  onePage(call.request.params);
  return call.revision.complete(`"prompts":${JSON.stringify(need(host.prompts, call).list(call.caller))}`, 'list');
}

function getPrompt<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const prompts = need(host.prompts, call);
  const params: Params = call.request.params;
  const name = text(params.name, 'name');
  const args = argumentsOf(params);
  const ask = () => prompts.get(name, args, call);
  const answer = ask();
  if (answer === undefined) throw new RpcError(INVALID_PARAMS, `Unknown prompt: ${shown(name)}`);
  return answered(call, answer, ask, ({ messages, description }) => {
    const about = description === undefined ? '' : `"description":${JSON.stringify(description)},`;
    return call.revision.complete(`${about}"messages":${JSON.stringify(messages)}`, 'none');
  });
}

async function complete<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const values = await need(host.complete, call)(call.request.params, call.caller);
  const completion = {
    values: values.slice(0, MAX_COMPLETIONS),
    total: values.length,
    hasMore: values.length > MAX_COMPLETIONS,
  };
  return call.revision.complete(`"completion":${JSON.stringify(completion)}`, 'none');
}

/** Refuses a cursor: every list is one page, so the server never gave one out. */
function onePage(params: Params): void {
  if (params.cursor !== undefined) throw new RpcError(INVALID_PARAMS, 'Unknown cursor.');
}

export function text(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new RpcError(INVALID_PARAMS, `${field} must be a string.`);
  return value;
}

export function argumentsOf(params: Params): JsonObject {
  const given = params.arguments ?? {};
  if (!isObject(given)) throw new RpcError(INVALID_PARAMS, 'arguments must be an object.');
  return given;
}

const isInputRequired = (answer: { readonly kind: string }): answer is InputRequired =>
  answer.kind === 'input_required';

async function answered<Caller, Answer extends { readonly kind: string }>(
  call: Call<Caller>,
  first: Soon<Answer | InputRequired>,
  again: () => Soon<Answer | InputRequired> | undefined,
  write: (answer: Answer) => string,
): Promise<string> {
  let answer = await first;
  for (let round = 0; isInputRequired(answer); round += 1) {
    demandCapabilities(call, answer);
    if (call.revision.inputRequired !== null) return call.revision.inputRequired(answer);
    if (round === MAX_ROUNDS) throw new RpcError(INTERNAL_ERROR, 'The call asks for input without end.');
    call.input_responses = await askClient(call, answer);
    call.request_state = answer.state;
    const next = again();
    if (next === undefined) throw new RpcError(INTERNAL_ERROR, 'The call cannot be made again.');
    answer = await next;
  }
  return write(answer as Answer); // The loop ends at an answer without questions; a generic type cannot be narrowed to that.
}

const CAPABILITY = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const;

/** Throws when the client did not declare support for a question: it must not be asked. */
function demandCapabilities<Caller>(call: Call<Caller>, { requests }: InputRequired): void {
  const needed = Object.values(requests).map(({ method }) => CAPABILITY[method]);
  const missing = needed.filter((name) => !isObject(call.client_capabilities[name]));
  if (missing.length > 0) throw call.revision.missingCapability(Object.fromEntries(missing.map((name) => [name, {}])));
}

/** Sends the questions as requests of the server, for the generation whose results cannot contain them. */
async function askClient<Caller>(call: Call<Caller>, { requests }: InputRequired): Promise<JsonObject> {
  const { ask } = call.channel;
  if (ask === null) throw new RpcError(INVALID_PARAMS, 'This call needs input, and this connection cannot ask for it.');
  const { signal } = call;
  const asked = Object.entries(requests).map(async ([key, { method, params }]) => {
    const { result, error } = await ask(method, params, signal);
    if (error !== undefined) throw new RpcError(INTERNAL_ERROR, `The client did not answer ${method}.`);
    return [key, result] as const;
  });
  return Object.fromEntries(await Promise.all(asked));
}
