import type { JsonObject, McpHost, ResourcePart, ToolShape } from '@errand/mcp';
import type { Tasks } from '@errand/tasks';
import { closestName } from '#gateway/closest-name';
import type { Call, Gateway, TransportName } from '#gateway/gateway';
import { LazyCall } from '#gateway/lazy-call';
import { catalog, type Tool } from '#tools/catalog';
import { listedInput, listedOutput } from '#tools/listed-schema';
import type { ProfileName } from '#tools/profiles';
import { createTaskPart } from './catalog-tasks.ts';
import { createWording, isForAgents, nameIn } from './catalog-wording.ts';
import { clientFactsOf, type Surroundings } from './client-facts.ts';
import { showsViews, viewUri } from './views.ts';

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
  /** The pages that a chat can show, if it says that it can. */
  readonly views?: ResourcePart<Caller> | undefined;
}

/** Errand's tools as an MCP server of one profile, or of all profiles under full names. */
export function createCatalogHost(options: CatalogHostOptions): McpHost<Caller> {
  const { gateway, profile, transport, version, tools = catalog, tasks, surroundings, views } = options;
  const described = tools.filter((tool) => isForAgents(tool) && (profile === 'all' || tool.profile === profile));
  const shapes = listedTools(tools, profile);
  const lists = new WeakMap<readonly Tool[], readonly ToolShape[]>();
  const listsWithViews = new WeakMap<readonly Tool[], readonly ToolShape[]>();
  const wording = createWording(profile);
  const hasViews = (capabilities: JsonObject): boolean => views !== undefined && showsViews(capabilities);

  function list(caller: Caller, capabilities: JsonObject): readonly ToolShape[] {
    const visible = gateway.visible(caller, profile);
    const withViews = hasViews(capabilities);
    const known = withViews ? listsWithViews : lists;
    const kept = known.get(visible);
    if (kept !== undefined) return kept;
    const shown = withViews
      ? visible.flatMap((tool) => shapeWithView(tool, profile, shapes) ?? [])
      : visible.flatMap((tool) => shapes.get(tool.full_name) ?? []);
    known.set(visible, shown);
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
          list(caller, {}).map((tool) => tool.name),
        ),
      call: (name, input, call) => {
        const tool = gateway.find(name, profile);
        if (tool === undefined) return undefined;
        if (!isForAgents(tool) && !(tool.for_views && hasViews(call.client_capabilities))) return undefined;
        const { caller, correlation_id } = call;
        // Client facts of a read are not recorded: they would say nothing about a change.
        const client_facts = tool.effect === 'read' ? undefined : clientFactsOf(call, surroundings);
        const asked = { caller, tool, input, transport, correlation_id, client_facts, client: call, carries: true };
        return gateway
          .dispatch(new LazyCall(asked, () => call.unheard))
          .then((outcome) => wording.answer(tool, outcome, () => seenBy(caller)));
      },
    },
    ...(views && { resources: views }),
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

/** A tool as a client with views sees it: the view that shows its answer, and what the views alone may call. */
function shapeWithView(
  tool: Tool,
  profile: ProfileName | 'all',
  shapes: ReadonlyMap<string, ToolShape>,
): ToolShape | undefined {
  if (tool.for_views) return { ...shapeOf(tool, profile), _meta: { ui: { visibility: ['app'] } } };
  const shape = shapes.get(tool.full_name);
  if (shape === undefined || tool.view === null) return shape;
  return { ...shape, _meta: { ...shape._meta, ui: { resourceUri: viewUri(tool.view) } } };
}
