import type { ChangeFeed } from '@errand/mcp';
import type { EarlyStreams } from '@errand/mcp/early';
import { serveStdio } from '@errand/mcp/stdio';
import type { Config } from '#config';
import type { Log } from '#observability/log';
import type { Report } from '#transports/answer';
import { type EarlyStart, ownStreams } from '#transports/cli/own-streams';
import { callerOf } from '#transports/cli/run-tool';
import type { McpProfile } from '#transports/http';
import { type Caller, createCatalogHost } from '#transports/mcp/catalog-host';
import type { Surroundings } from '#transports/mcp/client-facts';
import { createMcpFailures } from '#transports/mcp/failures';
import { createViews } from '#transports/mcp/views';
import type { Errand } from './compose.ts';
import { openTasks } from './compose-tasks.ts';

/** A client that has closed its end waits for the process to exit. */
const GRACE_MS = 500;

export interface StdioNeeds {
  readonly config: Pick<Config, 'task_store' | 'task_limits'>;
  readonly profile: McpProfile;
  readonly version: string;
  /** The caller's token; null for the owner of the machine. */
  readonly token: string | null;
  /** The run that started this process, from its environment; null for none. */
  readonly execution_id: string | null;
  readonly surroundings: Surroundings;
  readonly log: Log;
  /** The streams of a client whose first requests are already answered. */
  readonly early: EarlyStart | null;
}

/** The token may see other tools than those in the early answer. */
const changesOf = (early: EarlyStreams | null): ChangeFeed<Caller> => ({
  subscribe: (_caller, listener) => early?.onOtherTools(() => listener({ kind: 'tools' })) ?? (() => undefined),
});

/** Speaks MCP over this process's own streams until the client closes its end. */
export async function serveMcp({ gateway, installation, startHousekeeping }: Errand, needs: StdioNeeds): Promise<void> {
  const { profile, version, token, execution_id, surroundings, log, config, early } = needs;
  const authenticate = async () => {
    const caller = await callerOf(gateway, token);
    return execution_id === null ? caller : gateway.inRun(caller, execution_id);
  };
  const streams = ownStreams(early);
  const tasks = await openTasks({
    store: config.task_store,
    limits: config.task_limits,
    gateway,
    installation,
    log,
  });
  try {
    startHousekeeping();
    const views = createViews<Caller>();
    const host = createCatalogHost({ gateway, profile, transport: 'mcp-stdio', version, tasks, surroundings, views });
    const report: Report = (error, correlation_id) => log.error('request failed', { correlation_id, error });
    await serveStdio(token === null ? host : { ...host, changes: changesOf(early) }, {
      ...streams,
      authenticate,
      report,
      failures: createMcpFailures(report),
    });
  } finally {
    await tasks.tasks.close({ grace_ms: GRACE_MS });
  }
}
