import type { JsonObject as Json } from '@errand/tasks';
import { createTaskMethods2025, type TaskMethods2025 } from '@errand/tasks/2025-11-25';
import type { Call } from '#call';
import type { McpHost, TaskPart, TaskSupport } from '#host';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, notificationText, RpcError, requestText } from '#json-rpc';
import { argumentsOf, callTool, hasTasks, methodNotFound, need, text } from '#methods';
import type { Method } from '#revision';
import { ownerOf, requestorOf } from '#task-requestor';
import { inSession } from './task-news.ts';

/** An answer that takes longer is sent as a stream: clients wait only a limited time for the headers. */
const OPEN_STREAM_AFTER_MS = 1_000;

interface Params {
  readonly name?: unknown;
  readonly task?: unknown;
  readonly taskId?: unknown;
}

/** The methods of a host with tasks, including `tools/call`. */
export const TASK_TABLE: readonly (readonly [string, Method])[] = [
  ['tasks/get', async (host, call) => JSON.stringify(await methodsOf(host, call).get(requestOf(host, call)))],
  ['tasks/list', async (host, call) => JSON.stringify(await methodsOf(host, call).list(requestOf(host, call)))],
  ['tasks/cancel', async (host, call) => JSON.stringify(await methodsOf(host, call).cancel(requestOf(host, call)))],
  ['tasks/result', awaitResult],
  ['tools/call', callOrTask],
];

/** Creates the task methods of one caller. They find only the tasks that the caller may see. */
export const taskMethods = <Caller>(part: TaskPart<Caller>, caller: Caller): TaskMethods2025 =>
  createTaskMethods2025({ tasks: part.tasksOf(caller) });

const methodsOf = <Caller>(host: McpHost<Caller>, call: Call<Caller>): TaskMethods2025 =>
  taskMethods(need(host.tasks, call), call.caller);

function requestOf<Caller>(host: McpHost<Caller>, call: Call<Caller>) {
  if (!hasTasks(call)) throw methodNotFound(call.request.method);
  const { params } = call.request;
  const { taskId }: Params = params;
  if (typeof taskId === 'string') call.channel.news?.meet(taskId);
  return { params, requestor: requestorOf(need(host.tasks, call), call.caller, call.channel.session) };
}

function callOrTask<Caller>(host: McpHost<Caller>, call: Call<Caller>): string | Promise<string> {
  const { name, task }: Params = call.request.params;
  const part = need(host.tasks, call);
  const task_support = typeof name === 'string' ? part.supportOf(name) : 'forbidden';
  if (task === undefined && task_support !== 'required') return callTool(host, call);
  return callAsTask(host, call, { part, task_support });
}

interface Chosen<Caller> {
  readonly part: TaskPart<Caller>;
  readonly task_support: TaskSupport;
}

async function callAsTask<Caller>(
  host: McpHost<Caller>,
  call: Call<Caller>,
  { part, task_support }: Chosen<Caller>,
): Promise<string> {
  const { params } = call.request;
  const { session, news } = call.channel;
  const { name, task }: Params = params;
  const tool = text(name, 'name');
  const isKnown =
    task_support !== 'forbidden' ||
    host.tools.list(call.caller, call.client_capabilities).some((other) => other.name === tool);
  // By the specification a server may ignore `task` if it did not declare tasks to the client.
  const mayHaveTasks = hasTasks(call) && ownerOf(part, call.caller, session) !== null;
  if (!isKnown || (!mayHaveTasks && task_support !== 'required')) return await callTool(host, call);
  if (!mayHaveTasks) throw new RpcError(METHOD_NOT_FOUND, 'This tool runs as a task only, and you cannot have tasks.');

  const details = task === undefined ? {} : await part.detailsOf(tool, argumentsOf(params), call);
  const context = session === null ? details.context : inSession(details.context, session);
  const created = await taskMethods(part, call.caller).call({
    ...requestOf(host, call),
    ...details,
    ...(context && { context }),
    task_support,
  });
  if (created === null) return await callTool(host, call);
  news?.announce(created.task.taskId);
  return JSON.stringify(created);
}

/** Waits for the end of a task. Until then its questions and news are sent here, unless another stream sends them. */
async function awaitResult<Caller>(host: McpHost<Caller>, call: Call<Caller>): Promise<string> {
  const { channel, signal } = call;
  const { news } = channel;
  const request = requestOf(host, call);
  const { taskId }: Params = call.request.params;
  const asker = channel.streams ? news?.openAsker() : undefined;
  call.lasting = true;
  channel.onGone(() => {
    asker?.close();
    if (!channel.keeps) call.cancel();
  });
  const opening = setTimeout(() => channel.openStream(), OPEN_STREAM_AFTER_MS);
  try {
    const result = await methodsOf(host, call).result(request, {
      client_capabilities: call.client_capabilities as Json, // The value came as JSON.
      ask: asker && (({ id, method, params }) => asker.ask(id, () => call.send(requestText(id, method, params)))),
      settle: asker?.settle,
      notify: ({ method, params }) => {
        if (!news?.tells(String(taskId))) call.send(notificationText(method, params));
      },
      signal,
    });
    return JSON.stringify(result);
  } catch (error) {
    if (signal.aborted) throw new RpcError(INTERNAL_ERROR, 'The server is closing. Ask for the result again.');
    throw error;
  } finally {
    clearTimeout(opening);
    asker?.close();
  }
}
