import { createTaskMethods2026, declaresTasks, type TaskMethods2026 } from '@errand/tasks/2026-07-28';
import type { Call } from '#call';
import type { McpHost, TaskPart, TaskSupport } from '#host';
import { isObject, type JsonObject } from '#json';
import { argumentsOf, callTool, need, text } from '#methods';
import type { Method } from '#revision';
import { ownerOf, requestorOf } from '#task-requestor';
import { SERVER_INFO } from '#versions';

/** The methods of a host with tasks, including `tools/call`. */
export const TASK_TABLE: readonly (readonly [string, Method])[] = [
  ['tasks/get', async (host, call) => signed(host, await taskMethods(host, call).get(taskRequest(host, call)))],
  ['tasks/update', async (host, call) => signed(host, await taskMethods(host, call).update(taskRequest(host, call)))],
  ['tasks/cancel', async (host, call) => signed(host, await taskMethods(host, call).cancel(taskRequest(host, call)))],
  ['tools/call', callOrTask],
];

/** Creates the task methods of one caller. They find only the tasks that the caller may see. */
export const taskMethods = <Caller>(host: McpHost<Caller>, call: Call<Caller>): TaskMethods2026 =>
  createTaskMethods2026({ tasks: need(host.tasks, call).tasksOf(call.caller) });

export const taskRequest = <Caller>(host: McpHost<Caller>, call: Call<Caller>) => ({
  params: call.request.params,
  requestor: requestorOf(need(host.tasks, call), call.caller, null),
  client_capabilities: call.client_capabilities,
});

function signed<Caller>({ server_info }: McpHost<Caller>, result: JsonObject): string {
  const { _meta: own }: { readonly _meta?: unknown } = result;
  return JSON.stringify({ ...result, _meta: { ...(isObject(own) && own), [SERVER_INFO]: server_info } });
}

function callOrTask<Caller>(host: McpHost<Caller>, call: Call<Caller>): string | Promise<string> {
  const { name }: { readonly name?: unknown } = call.request.params;
  const part = need(host.tasks, call);
  const task_support = typeof name === 'string' ? part.supportOf(name) : 'forbidden';
  if (task_support === 'forbidden') return callTool(host, call);
  return isPlain(part, call, task_support) ? callTool(host, call) : makeTask(host, call, task_support);
}

/** True for a plain call. A tool with optional tasks answers at once when there cannot be a task. */
function isPlain<Caller>(part: TaskPart<Caller>, call: Call<Caller>, task_support: TaskSupport): boolean {
  const { name }: { readonly name?: unknown } = call.request.params;
  if (!declaresTasks(call.client_capabilities)) return task_support === 'optional';
  if (!part.becomesTask(String(name), call)) return true;
  return task_support === 'optional' && ownerOf(part, call.caller, null) === null;
}

async function makeTask<Caller>(host: McpHost<Caller>, call: Call<Caller>, task_support: TaskSupport): Promise<string> {
  const { params } = call.request;
  const { name }: { readonly name?: unknown } = params;
  const details = declaresTasks(call.client_capabilities)
    ? await need(host.tasks, call).detailsOf(text(name, 'name'), argumentsOf(params), call)
    : {};
  const created = await taskMethods(host, call).call({ ...taskRequest(host, call), ...details, task_support });
  return created === null ? await callTool(host, call) : signed(host, created);
}
