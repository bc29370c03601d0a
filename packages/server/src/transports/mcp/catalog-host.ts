import type { Call, Gateway, Outcome, TransportName } from '#gateway/gateway';
import { catalog, type Tool } from '#tools/catalog';
import { PROFILES, type Profile, type ProfileName } from '#tools/profiles';
import { inputSchema, type JsonSchema, outputSchema } from '#tools/schema';
import type { McpHost, ToolAnswer, ToolShape } from './host.ts';

export type Caller = Call['caller'];

export interface CatalogHostOptions {
  readonly gateway: Gateway;
  readonly profile: ProfileName | 'all';
  readonly transport: TransportName;
  readonly version: string;
  /** Every tool there is; those for agents are described once, here. */
  readonly tools?: readonly Tool[];
}

/** Errand's tools as an MCP server of one profile, or of all under their full names. */
export function createCatalogHost(options: CatalogHostOptions): McpHost<Caller> {
  const { gateway, profile, transport, version, tools = catalog } = options;
  const described = tools.filter((tool) => isForAgents(tool) && (profile === 'all' || tool.profile === profile));
  const shapes = new Map(described.map((tool) => [tool.full_name, shapeOf(tool, profile)] as const));
  const lists = new WeakMap<readonly Tool[], readonly ToolShape[]>();
  const renames = new Map<ProfileName, Rename>();

  function named(of: ProfileName): Rename {
    if (profile !== 'all') return (text) => text;
    const rename = renames.get(of) ?? fullNames(described, of);
    renames.set(of, rename);
    return rename;
  }

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
    instructions: instructionsOf(profile, named),
    tools: {
      list,
      call: (name, input, { caller, correlation_id }) => {
        const tool = gateway.find(name, profile);
        if (tool === undefined || !isForAgents(tool)) return undefined;
        return gateway
          .dispatch({ caller, tool, input, transport, correlation_id })
          .then((outcome) => answerOf(outcome, named(tool.profile)));
      },
    },
  };
}

const isForAgents = (tool: Tool): boolean => tool.mcp && PROFILES[tool.profile].mcp;

type Rename = (text: string) => string;

function answerOf(outcome: Outcome, rename: Rename): ToolAnswer {
  if (outcome.ok) return { kind: 'json', json: outcome.json, failed: false };
  const { hint, ...error } = outcome.error;
  const shown = hint === undefined ? error : { ...error, hint: rename(hint) };
  return { kind: 'json', json: JSON.stringify({ error: shown }), failed: true };
}

/** Our own texts with the names that tools of a profile have where all profiles meet. */
function fullNames(tools: readonly Tool[], profile: ProfileName): Rename {
  const names = tools.filter((tool) => tool.profile === profile).map(({ name }) => name);
  const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');
  return (text) => text.replaceAll(pattern, (name) => `${PROFILES[profile].prefix}${name}`);
}

export function shapeOf(tool: Tool, profile: ProfileName | 'all'): ToolShape {
  return {
    name: profile === 'all' ? tool.full_name : tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    outputSchema: answerSchema(outputSchema(tool)),
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'delete',
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
  };
}

const FAILURE = {
  type: 'object',
  description: 'Instead of everything else when the call failed: code, message, hint and whether to try again.',
};

/** A failed call answers `error` alone. SDK 1.x clients hold that to this schema too, and hide the error when it does not fit. */
const answerSchema = ({ properties, required, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...properties, error: FAILURE },
  anyOf: [{ required: required ?? [] }, { required: ['error'] }],
});

function instructionsOf(profile: ProfileName | 'all', named: (of: ProfileName) => Rename): string {
  if (profile !== 'all') return PROFILES[profile].instructions;
  return (Object.entries(PROFILES) as [ProfileName, Profile][])
    .filter(([, { mcp }]) => mcp)
    .map(([name, { title, prefix, instructions }]) => `${title} (${prefix}*): ${named(name)(instructions)}`)
    .join('\n\n');
}
