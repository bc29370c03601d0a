import type { Tool } from '../../packages/server/src/tools/catalog.ts';
import { inputSchema, outputSchema } from '../../packages/server/src/tools/schema.ts';
import { shapeOf } from '../../packages/server/src/transports/mcp/catalog-host.ts';

/** Returns the public shape of a tool, with its complete schemas: a change of it affects every caller. */
export function surfaceOf(tool: Tool): unknown {
  const { name, ...shape } = shapeOf(tool, tool.profile);
  return {
    name,
    full_name: tool.full_name,
    scopes: tool.scopes,
    route: tool.route,
    mcp: tool.mcp,
    cli: tool.cli,
    ...shape,
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
  };
}
