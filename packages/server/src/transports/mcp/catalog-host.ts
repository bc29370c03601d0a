import type { Tasks } from '@errand/tasks';
import type { Call, Gateway, TransportName } from '#gateway/gateway';
import { catalog, type Tool } from '#tools/catalog';
import { answerSchema } from '#tools/envelope';
import { PROFILES, type Profile, type ProfileName } from '#tools/profiles';
import { inputSchema, outputSchema } from '#tools/schema';
import { createTaskPart } from './catalog-tasks.ts';
import { createWording, isForAgents, nameIn, type Wording } from './catalog-wording.ts';
import type { McpHost, ToolShape } from './host.ts';

export type Caller = Call['caller'];

export interface CatalogHostOptions {
  readonly gateway: Gateway;
  readonly profile: ProfileName | 'all';
  readonly transport: TransportName;
  readonly version: string;
  /** Every tool there is; those for agents are described once, here. */
  readonly tools?: readonly Tool[];
  /** Lets calls go on as tasks when their request is over, under the name of this installation. */
  readonly tasks?: { readonly tasks: Tasks; readonly namespace: string };
}

/** Errand's tools as an MCP server of one profile, or of all under their full names. */
export function createCatalogHost(options: CatalogHostOptions): McpHost<Caller> {
  const { gateway, profile, transport, version, tools = catalog, tasks } = options;
  const described = tools.filter((tool) => isForAgents(tool) && (profile === 'all' || tool.profile === profile));
  const shapes = new Map(described.map((tool) => [tool.full_name, shapeOf(tool, profile)] as const));
  const lists = new WeakMap<readonly Tool[], readonly ToolShape[]>();
  const wording = createWording(tools, profile);

  function list(caller: Caller): readonly ToolShape[] {
    const visible = gateway.visible(caller, profile);
    const kept = lists.get(visible);
    if (kept !== undefined) return kept;
    const shown = visible.map((tool) => shapes.get(tool.full_name)).filter((shape) => shape !== undefined);
    lists.set(visible, shown);
    return shown;
  }

  return {
    server_info: { name: 'errand', title: 'Errand', version },
    instructions: instructionsOf(profile, wording),
    tools: {
      list,
      call: (name, input, call) => {
        const tool = gateway.find(name, profile);
        if (tool === undefined || !isForAgents(tool)) return undefined;
        const { caller, correlation_id } = call;
        // Reading leaves no trace of who read: there is nothing to learn from it.
        const hints = tool.effect === 'read' ? undefined : call.hints;
        return gateway
          .dispatch({ caller, tool, input, transport, correlation_id, hints })
          .then((outcome) => wording.answer(tool, outcome));
      },
    },
    ...(tasks && { tasks: createTaskPart({ ...tasks, gateway, tools, profile, transport }) }),
  };
}

export function shapeOf(tool: Tool, profile: ProfileName | 'all'): ToolShape {
  return {
    name: nameIn(profile, tool),
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    outputSchema: answerSchema(tool, outputSchema(tool)),
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'delete',
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
    ...(tool.always_load && { _meta: { 'anthropic/alwaysLoad': true } }),
  };
}

function instructionsOf(profile: ProfileName | 'all', { named }: Wording): string {
  if (profile !== 'all') return PROFILES[profile].instructions;
  return (Object.entries(PROFILES) as [ProfileName, Profile][])
    .filter(([, { mcp }]) => mcp)
    .map(([name, { title, prefix, instructions }]) => {
      const heading = prefix === '' ? title : `${title} (${prefix}*)`;
      return `${heading}: ${named(name, instructions)}`;
    })
    .join('\n\n');
}
