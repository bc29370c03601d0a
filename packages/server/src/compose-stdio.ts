import type { Log } from '#observability/log';
import { callerOf } from '#transports/cli/run-tool';
import type { McpProfile } from '#transports/http';
import { createCatalogHost } from '#transports/mcp/catalog-host';
import { serveStdio } from '#transports/mcp/stdio';
import type { Errand } from './compose.ts';

export interface StdioNeeds {
  readonly profile: McpProfile;
  readonly version: string;
  /** Who calls; null for the owner of the machine. */
  readonly token: string | null;
  readonly log: Log;
}

/** Speaks MCP over this process's own streams until the client closes its end. */
export function serveMcp({ gateway }: Errand, { profile, version, token, log }: StdioNeeds): Promise<void> {
  // Told to stop, it ends as if the client had gone: running calls are answered and the store is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.stdin.destroy());
  return serveStdio(createCatalogHost({ gateway, profile, transport: 'mcp-stdio', version }), {
    input: process.stdin,
    output: process.stdout,
    authenticate: () => callerOf(gateway, token),
    report: (error, correlation_id) => log.error('request failed', { correlation_id, error }),
  });
}
