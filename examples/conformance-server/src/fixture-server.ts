import { type Change, createMcpServer, type McpServer, type Report } from '@errand/mcp';
import type { TaskStore } from '@errand/tasks';
import { INPUT_TOOLS } from './input-tools.ts';
import { PROMPTS } from './prompts.ts';
import { RESOURCES } from './resources.ts';
import { TASK_TOOLS } from './task-tools.ts';
import { createTools, type FixtureCaller } from './tools.ts';

const POLL_INTERVAL_MS = 200;

/** Everything that the conformance runner expects of a server. Callers without a token and session share one name. */
export function createFixtureServer(store: TaskStore, report: Report): McpServer<FixtureCaller> {
  const announce = (change: Change): void => server.announce(change);
  const server: McpServer<FixtureCaller> = createMcpServer({
    name: 'conformance-server',
    version: '1.0.0',
    instructions: 'A fixture for the MCP conformance runner.',
    tools: [...createTools(announce), ...INPUT_TOOLS, ...TASK_TOOLS],
    resources: RESOURCES,
    prompts: PROMPTS,
    tasks: {
      store,
      limits: { allow_anonymous: true },
      poll_interval_ms: POLL_INTERVAL_MS,
      requestorOf: (token, session_id) => {
        if (token !== null) return { subject: token };
        return session_id === undefined ? { client_id: 'anyone' } : { session_id };
      },
    },
    report,
  });
  return server;
}
