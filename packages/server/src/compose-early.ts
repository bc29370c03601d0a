import { randomUUID } from 'node:crypto';
import { recordAnswers } from '@errand/mcp/early';
import type { Log } from '#observability/log';
import { createCatalogHost } from '#transports/mcp/catalog-host';
import { createReporterHost } from '#transports/mcp/reporter-host';
import { openErrand } from './compose.ts';
import { openTasks } from './compose-tasks.ts';
import { openParts } from './open-parts.ts';

interface EarlyNeeds {
  /** An empty folder for a temporary database. */
  readonly folder: string;
  readonly version: string;
  readonly log: Log;
}

/** Records the first answers of `errand mcp` to a machine's owner, by profile and key. The build keeps them as files. */
export async function recordEarlyAnswers({
  folder,
  version,
  log,
}: EarlyNeeds): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const database = { kind: 'sqlite', path: `${folder}/errand.db` } as const;
  const { gateway, tasks, close } = await openParts(async (parts) => {
    const errand = await openErrand({ database, plane: null, allow_anonymous: false }, log);
    parts.defer(errand.close);
    const opened = await openTasks({ ...errand, store: { kind: 'memory' }, log });
    parts.defer(() => opened.tasks.close());
    return { gateway: errand.gateway, tasks: opened };
  });
  const noManager = () => () => {
    throw new Error('Nothing is reported here.');
  };
  try {
    const recorded: Record<string, Readonly<Record<string, string>>> = {};
    const reporter = createReporterHost({
      managersFor: noManager,
      version,
      observe: () => undefined,
      randomId: randomUUID,
    });
    recorded.executions = await recordAnswers(reporter, async () => null);
    for (const profile of ['all', 'todo', 'tasker', 'board'] as const) {
      const host = createCatalogHost({ gateway, profile, transport: 'mcp-stdio', version, tasks });
      recorded[profile] = await recordAnswers(host, gateway.local);
    }
    return recorded;
  } finally {
    await close();
  }
}
