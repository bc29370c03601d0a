import { setTimeout as pause } from 'node:timers/promises';
import { INTERNAL_ERROR, type TaskPart } from '@errand/mcp';
import {
  type ClientTasks,
  type JsonObject,
  type Requestor,
  RpcFailure,
  TaskError,
  type TaskHandler,
  type TaskRecord,
  type Tasks,
} from '@errand/tasks';
import { ErrandError } from '#errors';
import type { Call, Gateway, Outcome, TransportName } from '#gateway/gateway';
import { worded } from '#gateway/outcome';
import { takeClientFacts } from '#gateway/take-client-facts';
import type { Tool } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';
import { createWording, isForAgents } from './catalog-wording.ts';
import { clientFactsOf, type Surroundings } from './client-facts.ts';
import { followRun, leaveToCanceller, STOPPING } from './follow-run.ts';
import { seenTasks } from './seen-tasks.ts';

type Caller = Call['caller'];
type McpProfile = ProfileName | 'all';

/** The data of a call that its task keeps. */
interface Origin extends JsonObject {
  /** Finds the caller again when the work starts: the token may be revoked meanwhile. */
  readonly pass: string;
  /** The rights of the task's maker, for `gateway.seesTask`; older tasks have them in other fields. */
  readonly rights?: JsonObject;
  readonly profile: McpProfile;
  readonly transport: TransportName;
  readonly correlation_id: string | null;
  /** The profiles that the client had chosen; absent when it chose none. */
  readonly only_profiles?: ProfileName[];
  /** The client facts, stored under this name; absent in tasks from before this field existed. */
  readonly hints?: JsonObject;
}

export interface TaskPartNeeds {
  readonly tasks: Tasks;
  readonly gateway: Gateway;
  /** All tools: the task of one profile can be read in another. */
  readonly tools: readonly Tool[];
  /** Names the installation: several installations may share a task store, and must not run each other's tasks. */
  readonly namespace: string;
  readonly profile: McpProfile;
  readonly transport: TransportName;
  readonly surroundings?: Surroundings | undefined;
}

/** Every tool of the profile may run as a task, and none must. */
export function createTaskPart({
  tasks,
  gateway,
  tools,
  namespace,
  profile,
  transport,
  surroundings,
}: TaskPartNeeds): TaskPart<Caller> {
  const toolOf = (name: string): Tool | undefined => {
    const tool = gateway.find(name, profile);
    return tool !== undefined && isForAgents(tool) ? tool : undefined;
  };

  const byWork = new Map(tools.map((tool) => [workName(namespace, tool), tool] as const));
  const sees = (caller: Caller, { request, context }: TaskRecord): boolean => {
    const tool = byWork.get(request.tool);
    return tool !== undefined && gateway.seesTask(caller, tool, context);
  };

  /** Stops the run of a task. This is written before the task ends, so that a crash in between leaves no run behind. */
  async function stopRun({ owner_id, task_id, request, context }: TaskRecord, tool: Tool): Promise<void> {
    // Safe: this file wrote it when the task was made.
    const origin = context as Origin;
    const who = (): Promise<Caller> => gateway.recall(origin.pass);
    await tasks.setVariables(owner_id, task_id, { [STOPPING]: true });
    // The call may be running right now: its idempotency key finds what it has started, or keeps it from starting.
    const call = callOf(origin, tool, once(tool, request.arguments, task_id));
    const outcome = await gateway.withdraw({ ...call, caller: await who() });
    if (outcome === null || isWithdrawn(outcome)) return;
    if (outcome.ok) await gateway.stop({ tool, json: outcome.json, transport: call.transport, who });
    else if (outcome.error.retryable) throw new TaskError('internal', worded(outcome.error).message);
  }

  function tasksOf(caller: Caller): ClientTasks {
    const seen = seenTasks(tasks, (task) => sees(caller, task));
    return {
      ...seen,
      create: ({ ttl_ms, ...request }) => {
        const tool = toolOf(request.tool);
        // Runs take long: without a TTL of its own, a task lives as long as the limit allows.
        const life = tool !== undefined && tool.follows !== null ? (ttl_ms ?? null) : ttl_ms;
        return seen.create({ ...request, ttl_ms: life, tool: workName(namespace, tool) });
      },
      cancel: async (owner_id, task_id, message) => {
        const task = await seen.get(owner_id, task_id);
        const tool = byWork.get(task.request.tool);
        const isFollowing = task.outcome === null && tool !== undefined && tool.follows !== null;
        if (isFollowing) await stopRun(task, tool).catch(cannotStop);
        return await seen.cancel(owner_id, task_id, message);
      },
    };
  }

  return {
    tasksOf,
    requestorOf: (caller, session_id) => requestorOf(caller, session_id, transport),
    supportOf: (name) => (toolOf(name) === undefined ? 'forbidden' : 'optional'),
    detailsOf: (_tool, _args, call) => ({
      context: {
        pass: gateway.passOf(call.caller),
        ...gateway.rightsForTask(call.caller),
        profile,
        transport,
        correlation_id: call.correlation_id ?? null,
        hints: { ...clientFactsOf(call, surroundings) },
        // Safe: `narrow` sets names of profiles.
        ...(call.caller.only_profiles && { only_profiles: [...call.caller.only_profiles] as ProfileName[] }),
      } satisfies Origin,
    }),
    // All other tools answer before a client could poll.
    becomesTask: (name) => (toolOf(name)?.follows ?? null) !== null,
  };
}

/**
 * People and agents keep their tasks when their token is rotated; a service has no identity but its token. Over HTTP,
 * callers without a token cannot be told apart except by their session.
 */
function requestorOf(caller: Caller, session_id: string | undefined, transport: TransportName): Requestor {
  const { kind, principal_id, fault } = caller;
  // Without this, a caller whose token cannot be checked now would be asked to send a token.
  if (fault !== null) throw fault;
  if (kind === 'local' && transport === 'mcp-http') return { session_id };
  return kind === 'user' || kind === 'local' ? { subject: principal_id } : { client_id: principal_id };
}

/** The name of a tool's work, unique among all profiles and all installations that share the store. */
const workName = (namespace: string, tool: Tool | undefined): string => `${namespace}:${tool?.full_name ?? ''}`;

/** The call of a task, without its caller. */
const callOf = (
  { transport, correlation_id, hints = {} }: Origin,
  tool: Tool,
  input: JsonObject,
): Omit<Call, 'caller'> => ({
  tool,
  input,
  transport,
  correlation_id: correlation_id ?? undefined,
  client_facts: takeClientFacts(hints),
});

export interface TaskToolsNeeds {
  readonly gateway: Gateway;
  readonly tools: readonly Tool[];
  readonly namespace: string;
  /** Records answers to a task's questions that were given elsewhere. */
  readonly settle: Tasks['answer'];
}

/** The work of each tool when it runs as a task. */
export function createTaskTools({
  gateway,
  tools,
  namespace,
  settle,
}: TaskToolsNeeds): Readonly<Record<string, TaskHandler>> {
  const wordings = new Map<McpProfile, ReturnType<typeof createWording>>();

  const run =
    (tool: Tool): TaskHandler =>
    async (task) => {
      // Safe: written by `detailsOf` above, and only we write to this store.
      const origin = task.context as Origin;
      const { pass, profile, transport } = origin;
      const wording = wordings.get(profile) ?? createWording(profile);
      wordings.set(profile, wording);
      const who = async (): Promise<Caller> => gateway.narrow(await callerOf(gateway, pass), origin.only_profiles);
      const call = callOf(origin, tool, once(tool, task.arguments, task.task_id));
      const caller = await who();
      const outcome = await untilEnded(() => gateway.dispatch({ ...call, caller }), task.signal);
      if (isWithdrawn(outcome)) await leaveToCanceller(task);
      const end = outcome.ok
        ? await followRun({ gateway, settle, task, call: { tool, json: outcome.json, transport, who } })
        : null;
      const { json, failed } = wording.answer(tool, end?.outcome ?? outcome, () => gateway.visible(caller, profile));
      const result = {
        content: [{ type: 'text', text: json }],
        structuredContent: JSON.parse(json),
        ...((failed || end?.failed) && { isError: true }),
      };
      // Without a message of its own, a failed task would show its whole answer as its message.
      if (end?.failed) await task.complete(result, end.message);
      return result;
    };

  return Object.fromEntries(tools.filter(isForAgents).map((tool) => [workName(namespace, tool), run(tool)]));
}

const LOOK_AGAIN_MS = 1_000;

/** A call waits for a merge for a while only; a task waits for its end. */
async function untilEnded(dispatch: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  for (;;) {
    const outcome = await dispatch();
    if (outcome.ok || outcome.error.code !== 'merge_in_progress') return outcome;
    await pause(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** The task is being cancelled right now. */
const isWithdrawn = (outcome: Outcome): boolean => !outcome.ok && outcome.error.code === 'idempotency_key_in_progress';

/** A run that is gone needs no stop. */
function cannotStop(error: unknown): void {
  if (!(error instanceof ErrandError)) throw error;
  if (error.code === 'not_found') return;
  throw new TaskError('invalid_params', `The run of this task cannot be stopped: ${error.message}`, { cause: error });
}

async function callerOf(gateway: Gateway, pass: string): Promise<Caller> {
  try {
    return await gateway.recall(pass);
  } catch (error) {
    if (error instanceof ErrandError && error.code === 'unauthenticated')
      throw new RpcFailure(INTERNAL_ERROR, error.message, { cause: error });
    throw error;
  }
}

/** Work that starts again after a crash must not happen twice: the task id is the idempotency key of its effect. */
function once(tool: Tool, args: JsonObject, task_id: string): JsonObject {
  const takesKey = 'idempotency_key' in tool.input.shape && !tool.needs_key;
  // Literals of tools: JSON.
  const own = tool.as_task as JsonObject;
  return takesKey ? { idempotency_key: `task:${task_id}`, ...args, ...own } : { ...args, ...own };
}
