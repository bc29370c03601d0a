import { type JsonObject, type Requestor, RpcFailure, type TaskHandler, type Tasks } from '@errand/tasks';
import { ErrandError } from '#errors';
import type { Call, Gateway, TransportName } from '#gateway/gateway';
import { takeHints } from '#gateway/take-hints';
import type { Tool } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';
import { createWording, isForAgents } from './catalog-wording.ts';
import type { TaskPart } from './host.ts';
import { INTERNAL_ERROR } from './json-rpc.ts';
import { createScopedTasks, scopedOwner } from './scoped-tasks.ts';

type Caller = Call['caller'];
type McpProfile = ProfileName | 'all';

/** What a task of ours keeps of its call. */
interface Origin extends JsonObject {
  /** For whom it acts: looked up again when the work starts, since a token may be revoked meanwhile. */
  readonly pass: string;
  /** For whom its maker could speak: whoever could not must not read what came of it. */
  readonly acts_for: string;
  /** Which projects its maker reached: whoever lost one must not read what came of it. */
  readonly reach_key: string;
  readonly profile: McpProfile;
  readonly transport: TransportName;
  readonly correlation_id: string | null;
  /** What the client told of itself; nothing in tasks that are older than this field. */
  readonly hints?: JsonObject;
}

export interface TaskPartNeeds {
  readonly tasks: Tasks;
  readonly gateway: Gateway;
  /** Every tool there is: a task of one profile can be asked for in another. */
  readonly tools: readonly Tool[];
  /** Names the installation: several of them may share a store of tasks, and must not do each other's work. */
  readonly namespace: string;
  readonly profile: McpProfile;
  readonly transport: TransportName;
}

/** Every tool of the profile may run as a task, and none has to. */
export function createTaskPart({
  tasks,
  gateway,
  tools,
  namespace,
  profile,
  transport,
}: TaskPartNeeds): TaskPart<Caller> {
  const toolOf = (name: string): Tool | undefined => {
    const tool = gateway.find(name, profile);
    return tool !== undefined && isForAgents(tool) ? tool : undefined;
  };

  const byWork = new Map(tools.map((tool) => [workName(namespace, tool), tool] as const));
  const scoped = createScopedTasks(tasks, gateway.covers, ({ request, context }) => {
    const tool = byWork.get(request.tool);
    if (tool === undefined) return null;
    const { acts_for, reach_key } = context as Origin;
    return { scopes: tool.scopes, acts_for, reach_key: tool.by_project ? reach_key : null };
  });

  return {
    tasks: {
      ...scoped,
      create: (request) => scoped.create({ ...request, tool: workName(namespace, toolOf(request.tool)) }),
    },
    requestorOf,
    supportOf: (name) => (toolOf(name) === undefined ? 'forbidden' : 'optional'),
    detailsOf: (_tool, _args, { caller, correlation_id = null, hints = {} }) => ({
      context: {
        pass: gateway.passOf(caller),
        acts_for: actsForKey(caller),
        reach_key: caller.reach_key,
        profile,
        transport,
        correlation_id,
        hints: { ...hints },
      } satisfies Origin,
    }),
    // All of today's tools answer faster than a client could ask how they are getting on.
    becomesTask: () => false,
  };
}

/** People and agents keep their tasks when their token is rotated; a service has no identity but its token. */
function requestorOf(caller: Caller): Requestor {
  const { kind, principal_id, scope_key, reach_key } = caller;
  const owner = scopedOwner(principal_id, { scope_key, reach_key, acts_for: actsForKey(caller) });
  return kind === 'user' || kind === 'local' ? { subject: owner } : { client_id: owner };
}

const actsForKey = ({ acts_for }: Caller): string =>
  typeof acts_for === 'string' ? acts_for : acts_for.toSorted().join(',');

/** By which workers know a tool, unique among all profiles and all who share the store. */
const workName = (namespace: string, tool: Tool | undefined): string => `${namespace}:${tool?.full_name ?? ''}`;

/** The work of each tool as a task. */
export function createTaskTools(
  gateway: Gateway,
  tools: readonly Tool[],
  namespace: string,
): Readonly<Record<string, TaskHandler>> {
  const wordings = new Map<McpProfile, ReturnType<typeof createWording>>();

  const run =
    (tool: Tool): TaskHandler =>
    async ({ task_id, arguments: args, context }) => {
      // Written by `detailsOf` above, into a store that only we write to.
      const { pass, profile, transport, correlation_id, hints = {} } = context as Origin;
      const wording = wordings.get(profile) ?? createWording(tools, profile);
      wordings.set(profile, wording);
      const outcome = await gateway.dispatch({
        caller: await callerOf(gateway, pass),
        tool,
        input: once(tool, args, task_id),
        transport,
        correlation_id: correlation_id ?? undefined,
        hints: takeHints(hints),
      });
      const { json, failed } = wording.answer(tool, outcome);
      return {
        content: [{ type: 'text', text: json }],
        structuredContent: JSON.parse(json),
        ...(failed && { isError: true }),
      };
    };

  return Object.fromEntries(tools.filter(isForAgents).map((tool) => [workName(namespace, tool), run(tool)]));
}

async function callerOf(gateway: Gateway, pass: string): Promise<Caller> {
  try {
    return await gateway.recall(pass);
  } catch (error) {
    if (error instanceof ErrandError) throw new RpcFailure(INTERNAL_ERROR, error.message, { cause: error });
    throw error;
  }
}

/** Work that is started again after a crash must not happen twice: the task itself is the key of its one effect. */
function once(tool: Tool, args: JsonObject, task_id: string): JsonObject {
  const takesKey = 'idempotency_key' in tool.input.shape && !tool.needs_key;
  return takesKey ? { idempotency_key: `task:${task_id}`, ...args } : args;
}
