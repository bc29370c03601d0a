import type { CallToolResult, InputRequests, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { inputRequired } from '@modelcontextprotocol/server';
import { taskNotFound } from '#errors';
import { isObject, type JsonObject } from '#json';
import { RpcFailure } from '#rpc-failure';
import { openInputs, type TaskRecord } from '#task';
import type { Tasks } from '#tasks';
import { fits } from '#wire/answers';

export interface PlainCall {
  readonly owner_id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/**
 * Runs a task within a call: the requestor never learns that there is a task. The call ends early when the task
 * needs input. The SDK then asks the client, and calls again with the answers and with the task id as request state.
 */
export async function callPlainly(tasks: Tasks, call: PlainCall, ctx: ServerContext): Promise<TaskRecord> {
  const begun = (await resume(tasks, call, ctx)) ?? (await tasks.create(call));
  try {
    return await untilItNeedsUs(tasks, begun, ctx);
  } catch (error) {
    // Only this call knows the task, so cancel it when the call is aborted.
    if (ctx.mcpReq.signal.aborted) await tasks.cancel(begun.owner_id, begun.task_id).catch(() => undefined);
    throw error;
  }
}

/** Returns the SDK's answer to a call. */
export function plainResult(task: TaskRecord): CallToolResult | InputRequiredResult {
  const { outcome, task_id } = task;
  switch (outcome?.kind) {
    case undefined:
      // The cast: tasks use only request types that the SDK knows.
      return inputRequired({ inputRequests: openInputs(task) as InputRequests, requestState: task_id });
    case 'result':
    case 'tool_error':
      // The cast: a handler resolves to a tool result.
      return outcome.result as unknown as CallToolResult;
    case 'rpc_error': {
      const { code, message, data } = outcome.error;
      throw new RpcFailure(code, message, data && { data });
    }
    case 'cancelled':
      return { content: [{ type: 'text', text: 'The work was cancelled.' }], isError: true };
  }
}

/** Returns the task of an earlier round. The id comes from the client, which can reach only its own tasks. */
async function resume(tasks: Tasks, { owner_id, tool }: PlainCall, ctx: ServerContext): Promise<TaskRecord | null> {
  const task_id = ctx.mcpReq.requestState();
  if (typeof task_id !== 'string') return null;
  const task = await tasks.get(owner_id, task_id);
  if (task.request.tool !== tool) throw taskNotFound();
  const open = openInputs(task);
  const answers = Object.entries(ctx.mcpReq.inputResponses ?? {}).flatMap(([key, answer]) => {
    const question = Object.hasOwn(open, key) ? open[key] : undefined;
    // The value came as JSON.
    return question && isObject(answer) && fits(question, answer) ? [[key, answer as JsonObject] as const] : [];
  });
  return tasks.answer(owner_id, task_id, Object.fromEntries(answers));
}

function untilItNeedsUs(tasks: Tasks, { owner_id, task_id }: TaskRecord, ctx: ServerContext): Promise<TaskRecord> {
  const tell = createTelling(ctx);
  const until = (task: TaskRecord): boolean => {
    tell(task);
    return task.status === 'input_required';
  };
  return tasks.wait(owner_id, task_id, { signal: ctx.mcpReq.signal, until });
}

/** Sends progress notifications if the client asked for them. */
function createTelling({ mcpReq }: ServerContext): (task: TaskRecord) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let sent: number | undefined;
  return ({ progress }) => {
    if (progressToken === undefined || progress === null || progress.progress === sent) return;
    sent = progress.progress;
    // A client that has disconnected needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => undefined);
  };
}
