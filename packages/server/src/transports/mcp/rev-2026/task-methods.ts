import { declaresTasks, type TaskMethods2026 } from '@errand/tasks/2026-07-28';
import { isObject, type JsonObject } from '#transports/json';
import type { Call } from '#transports/mcp/call';
import type { McpHost, TaskPart, TaskSupport } from '#transports/mcp/host';
import { argumentsOf, callTool, need, text } from '#transports/mcp/methods';
import type { Method } from '#transports/mcp/revision';
import { ownerOf, requestorOf } from '#transports/mcp/task-requestor';
import { SERVER_INFO } from '#transports/mcp/versions';

/** The methods of a host that has tasks, `tools/call` among them. */
export const taskTable2026 = (methods: TaskMethods2026): readonly (readonly [string, Method])[] => [
  ['tasks/get', async (host, call) => signed(host, await methods.get(taskRequest(host, call)))],
  ['tasks/update', async (host, call) => signed(host, await methods.update(taskRequest(host, call)))],
  ['tasks/cancel', async (host, call) => signed(host, await methods.cancel(taskRequest(host, call)))],
  ['tools/call', (host, call) => callOrTask(methods, host, call)],
];

export const taskRequest = <Caller>(host: McpHost<Caller>, call: Call<Caller>) => ({
  params: call.request.params,
  requestor: requestorOf(need(host.tasks, call), call.caller, null),
  client_capabilities: call.client_capabilities,
});

function signed<Caller>({ server_info }: McpHost<Caller>, result: JsonObject): string {
  const { _meta: own }: { readonly _meta?: unknown } = result;
  return JSON.stringify({ ...result, _meta: { ...(isObject(own) && own), [SERVER_INFO]: server_info } });
}

function callOrTask<Caller>(methods: TaskMethods2026, host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const { name }: { readonly name?: unknown } = call.request.params;
  const part = need(host.tasks, call);
  const task_support = typeof name === 'string' ? part.supportOf(name) : 'forbidden';
  if (task_support === 'forbidden') return callTool(host, call);
  return isPlain(part, call, task_support) ? callTool(host, call) : makeTask(methods, host, call, task_support);
}

/** A tool that takes either way answers at once where there cannot be a task. */
function isPlain<Caller>(part: TaskPart<Caller>, call: Call<Caller>, task_support: TaskSupport): boolean {
  const { name }: { readonly name?: unknown } = call.request.params;
  if (!declaresTasks(call.client_capabilities)) return task_support === 'optional';
  if (!part.becomesTask(String(name), call)) return true;
  return task_support === 'optional' && ownerOf(part, call.caller, null) === null;
}

async function makeTask<Caller>(
  methods: TaskMethods2026,
  host: McpHost<Caller>,
  call: Call<Caller>,
  task_support: TaskSupport,
): Promise<string> {
  const { params } = call.request;
  const { name }: { readonly name?: unknown } = params;
  const details = declaresTasks(call.client_capabilities)
    ? await need(host.tasks, call).detailsOf(text(name, 'name'), argumentsOf(params), call)
    : {};
  const created = await methods.call({ ...taskRequest(host, call), ...details, task_support });
  return created === null ? await callTool(host, call) : signed(host, created);
}
