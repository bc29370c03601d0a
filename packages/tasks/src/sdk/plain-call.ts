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
 * Does the work of a task within a call: its requestor never learns that there is one. It ends early where the work
 * needs input; the SDK asks for it, and calls again with the answers and the id of the task as its state.
 */
export async function callPlainly(tasks: Tasks, call: PlainCall, ctx: ServerContext): Promise<TaskRecord> {
  const begun = (await resume(tasks, call, ctx)) ?? (await tasks.create(call));
  try {
    return await untilItNeedsUs(tasks, begun, ctx);
  } catch (error) {
    // Nobody knows of the task but this call.
    if (ctx.mcpReq.signal.aborted) await tasks.cancel(begun.owner_id, begun.task_id).catch(() => undefined);
    throw error;
  }
}

/** What the SDK answers a call with. */
export function plainResult(task: TaskRecord): CallToolResult | InputRequiredResult {
  const { outcome, task_id } = task;
  switch (outcome?.kind) {
    case undefined:
      // The requests of a task are those that the SDK knows.
      return inputRequired({ inputRequests: openInputs(task) as InputRequests, requestState: task_id });
    case 'result':
    case 'tool_error':
      // What a handler resolves to is the result of its tool.
      return outcome.result as unknown as CallToolResult;
    case 'rpc_error': {
      const { code, message, data } = outcome.error;
      throw new RpcFailure(code, message, data && { data });
    }
    case 'cancelled':
      return { content: [{ type: 'text', text: 'The work was cancelled.' }], isError: true };
  }
}

/** The task that an earlier round began. Its id comes from the client, who finds its own tasks only. */
async function resume(tasks: Tasks, { owner_id, tool }: PlainCall, ctx: ServerContext): Promise<TaskRecord | null> {
  const task_id = ctx.mcpReq.requestState();
  if (typeof task_id !== 'string') return null;
  const task = await tasks.get(owner_id, task_id);
  if (task.request.tool !== tool) throw taskNotFound();
  const open = openInputs(task);
  const answers = Object.entries(ctx.mcpReq.inputResponses ?? {}).flatMap(([key, answer]) => {
    const question = Object.hasOwn(open, key) ? open[key] : undefined;
    // What came as JSON is JSON.
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

/** Progress goes to whoever asked for it. */
function createTelling({ mcpReq }: ServerContext): (task: TaskRecord) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let told: number | undefined;
  return ({ progress }) => {
    if (progressToken === undefined || progress === null || progress.progress === told) return;
    told = progress.progress;
    // Whoever hung up needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => undefined);
  };
}
