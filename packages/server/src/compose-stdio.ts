import type { Config } from '#config';
import type { Log } from '#observability/log';
import { callerOf } from '#transports/cli/run-tool';
import type { McpProfile } from '#transports/http';
import { createCatalogHost } from '#transports/mcp/catalog-host';
import { serveStdio } from '#transports/mcp/stdio';
import type { Errand } from './compose.ts';
import { openTasks } from './compose-tasks.ts';

/** A client that has closed its end waits for the process to end. */
const GRACE_MS = 500;

export interface StdioNeeds {
  readonly config: Pick<Config, 'task_store'>;
  readonly profile: McpProfile;
  readonly version: string;
  /** Who calls; null for the owner of the machine. */
  readonly token: string | null;
  readonly log: Log;
}

/** Speaks MCP over this process's own streams until the client closes its end. */
export async function serveMcp({ gateway, installation }: Errand, needs: StdioNeeds): Promise<void> {
  const { profile, version, token, log, config } = needs;
  // Told to stop, it ends as if the client had gone: running calls are answered and the store is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.stdin.destroy());
  const tasks = await openTasks({ store: config.task_store, gateway, installation, log });
  try {
    await serveStdio(createCatalogHost({ gateway, profile, transport: 'mcp-stdio', version, tasks }), {
      input: process.stdin,
      output: process.stdout,
      authenticate: () => callerOf(gateway, token),
      report: (error, correlation_id) => log.error('request failed', { correlation_id, error }),
    });
  } finally {
    await tasks.tasks.close({ grace_ms: GRACE_MS });
  }
}
