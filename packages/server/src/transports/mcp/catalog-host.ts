import type { McpHost, ToolShape } from '@errand/mcp';
import type { Tasks } from '@errand/tasks';
import { closestName } from '#gateway/closest-name';
import type { Call, Gateway, TransportName } from '#gateway/gateway';
import { catalog, type Tool } from '#tools/catalog';
import { listedInput, listedOutput } from '#tools/listed-schema';
import type { ProfileName } from '#tools/profiles';
import { createTaskPart } from './catalog-tasks.ts';
import { createWording, isForAgents, nameIn } from './catalog-wording.ts';
import { clientFactsOf, type Surroundings } from './client-facts.ts';

export type Caller = Call['caller'];

export interface CatalogHostOptions {
  readonly gateway: Gateway;
  readonly profile: ProfileName | 'all';
  readonly transport: TransportName;
  readonly version: string;
  /** All tools. Those for agents are described once, here. */
  readonly tools?: readonly Tool[];
  /** Lets calls continue as tasks after their request, in the namespace of this installation. */
  readonly tasks?: { readonly tasks: Tasks; readonly namespace: string };
  readonly surroundings?: Surroundings;
}

/** Errand's tools as an MCP server of one profile, or of all profiles under full names. */
export function createCatalogHost(options: CatalogHostOptions): McpHost<Caller> {
  const { gateway, profile, transport, version, tools = catalog, tasks, surroundings } = options;
  const described = tools.filter((tool) => isForAgents(tool) && (profile === 'all' || tool.profile === profile));
  const shapes = listedTools(tools, profile);
  const lists = new WeakMap<readonly Tool[], readonly ToolShape[]>();
  const wording = createWording(profile);

  function list(caller: Caller): readonly ToolShape[] {
    const visible = gateway.visible(caller, profile);
    const kept = lists.get(visible);
    if (kept !== undefined) return kept;
    const shown = visible.map((tool) => shapes.get(tool.full_name)).filter((shape) => shape !== undefined);
    lists.set(visible, shown);
    return shown;
  }

  // While the caller cannot be identified, every tool is shown.
  const seenBy = (caller: Caller): readonly Tool[] => (caller.fault ? described : gateway.visible(caller, profile));

  return {
    server_info: { name: 'errand', title: 'Errand', version },
    instructions: (caller) => wording.instructions(seenBy(caller)),
    tools: {
      list,
      meant: (name, caller) =>
        meantTool(
          name,
          list(caller).map((tool) => tool.name),
        ),
      call: (name, input, call) => {
        const tool = gateway.find(name, profile);
        if (tool === undefined || !isForAgents(tool)) return undefined;
        const { caller, correlation_id } = call;
        // Client facts of a read are not recorded: they would say nothing about a change.
        const client_facts = tool.effect === 'read' ? undefined : clientFactsOf(call, surroundings);
        return gateway
          .dispatch({
            caller,
            tool,
            input,
            transport,
            correlation_id,
            client_facts,
            carries: true,
            get signal() {
              return call.unheard;
            },
          })
          .then((outcome) => wording.answer(tool, outcome, () => seenBy(caller)));
      },
    },
    ...(tasks && { tasks: createTaskPart({ ...tasks, gateway, tools, profile, transport, surroundings }) }),
  };
}

/** The full name of a tool that was called by its short one, the short of a full one, or a similar one. */
function meantTool(typed: string, names: readonly string[]): string | null {
  const longer = names.filter((name) => name.endsWith(`_${typed}`));
  if (longer.length > 1) return null;
  return longer[0] ?? names.find((name) => typed.endsWith(`_${name}`)) ?? closestName(typed, names);
}

/** Every tool that an MCP address offers, by its full name. */
export function listedTools(tools: readonly Tool[], profile: ProfileName | 'all'): ReadonlyMap<string, ToolShape> {
  const described = tools.filter((tool) => isForAgents(tool) && (profile === 'all' || tool.profile === profile));
  return new Map(described.map((tool) => [tool.full_name, shapeOf(tool, profile)]));
}

export function shapeOf(tool: Tool, profile: ProfileName | 'all'): ToolShape {
  return {
    name: nameIn(profile, tool),
    title: tool.title,
    description: tool.description,
    inputSchema: listedInput(tool),
    outputSchema: listedOutput(tool, profile === 'all'),
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      openWorldHint: tool.open_world,
    },
    ...(tool.always_load && { _meta: { 'anthropic/alwaysLoad': true } }),
  };
}
