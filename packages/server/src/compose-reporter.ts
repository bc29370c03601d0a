import { randomUUID } from 'node:crypto';
import { serveStdio } from '@errand/mcp/stdio';
import { createTaskManager, type TaskManagerAccess } from '#clients/create-task-manager';
import { report } from '#gateway/report';
import type { Log } from '#observability/log';
import { type EarlyStart, ownStreams } from '#transports/cli/own-streams';
import type { Destination } from '#transports/cli/step-within';
import type { Surroundings } from '#transports/mcp/client-facts';
import { createMcpFailures } from '#transports/mcp/failures';
import { createReporterHost, type ReporterHostOptions } from '#transports/mcp/reporter-host';

/** How long a report may still take when its agent is gone. */
const GRACE_MS = 1_000;

interface ReporterNeeds {
  readonly access: TaskManagerAccess;
  readonly surroundings: Surroundings;
  readonly version: string;
  readonly log: Log;
  readonly early: EarlyStart | null;
}

type Managers = ReporterHostOptions['managersFor'];

/** One Task Manager. Every report to it carries the facts about its client. */
function createManagers(access: TaskManagerAccess): Managers {
  if (access.use_mock) {
    // The mock keeps its data in memory, so there is only one.
    const memory = createTaskManager(access);
    return () => () => memory;
  }
  return (client_facts) => (idempotency_key) =>
    createTaskManager({
      ...access,
      ...(client_facts && { client_facts }),
      ...(idempotency_key !== undefined && { idempotency_key }),
    });
}

type Observe = (error: unknown, correlation_id?: string) => void;

const observing =
  (log: Log): Observe =>
  (error, correlation_id) => {
    log.error('request failed', { correlation_id, error });
    log.flush();
  };

/** Sends the steps of a script to a Task Manager. */
export function reportSteps(access: TaskManagerAccess, log: Log): Destination['send'] {
  const manager = createTaskManager({ ...access, client_facts: { source: 'script' } });
  return (tool, input) =>
    report({ tool, input, managerFor: () => manager, observe: observing(log), randomId: randomUUID });
}

/** Reports to a Task Manager over this process's own streams until the agent closes its end. */
export async function serveReporter({ access, surroundings, version, log, early }: ReporterNeeds): Promise<void> {
  const observe = observing(log);
  await serveStdio(
    createReporterHost({ managersFor: createManagers(access), surroundings, version, observe, randomId: randomUUID }),
    {
      ...ownStreams(early),
      authenticate: async () => null,
      report: observe,
      failures: createMcpFailures(observe),
      grace_ms: GRACE_MS,
    },
  );
}
