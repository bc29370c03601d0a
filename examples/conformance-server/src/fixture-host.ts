import type { Change, McpHost } from '@errand/mcp';
import type { Tasks } from '@errand/tasks';
import { taskPart } from './fixture-tasks.ts';
import { INPUT_TOOLS } from './input-tools.ts';
import { prompts } from './prompts.ts';
import { resources } from './resources.ts';
import { TASK_TOOLS } from './task-tools.ts';
import { createTools, type FixtureCaller } from './tools.ts';

/** Everything the runner expects of a server. */
export function createFixtureHost(tasks: Tasks): McpHost<FixtureCaller> {
  const listeners = new Set<(change: Change) => void>();
  const tools = createTools((change) => {
    for (const listener of listeners) listener(change);
  }).concat(INPUT_TOOLS);
  const runs = new Map([...tools, ...TASK_TOOLS].map(({ name, run }) => [name, run] as const));
  const shapes = [
    ...tools.map(({ run, ...shape }) => shape),
    ...TASK_TOOLS.map(({ run, work, support, immediate_response, ...shape }) => shape),
  ];

  return {
    server_info: { name: 'conformance-server', version: '1.0.0' },
    instructions: () => 'A fixture for the MCP conformance runner.',
    tools: {
      list: () => shapes,
      mirroring: shapes,
      call: (name, args, call) => runs.get(name)?.(args, call),
    },
    tasks: taskPart(tasks),
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
