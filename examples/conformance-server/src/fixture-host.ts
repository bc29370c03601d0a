import type { Change, McpHost } from '../../../packages/server/src/transports/mcp/host.ts';
import { INPUT_TOOLS } from './input-tools.ts';
import { prompts } from './prompts.ts';
import { resources } from './resources.ts';
import { createTools } from './tools.ts';

/** Everything the runner expects of a server. */
export function createFixtureHost(): McpHost<null> {
  const listeners = new Set<(change: Change) => void>();
  const tools = createTools((change) => {
    for (const listener of listeners) listener(change);
  }).concat(INPUT_TOOLS);
  const shapes = tools.map(({ run, ...shape }) => shape);

  return {
    server_info: { name: 'conformance-server', version: '1.0.0' },
    instructions: 'A fixture for the MCP conformance runner.',
    tools: {
      list: () => shapes,
      mirroring: shapes,
      call: (name, args, call) => tools.find((tool) => tool.name === name)?.run(args, call),
    },
    resources,
    prompts,
    complete: async () => ['paris', 'park', 'party'],
    logging: true,
    changes: {
      subscribe: (_caller, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
