import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../../packages/server/src/store/sql/sqlite/open-sqlite-store.ts';
import { aBoard, aWorker } from '../../../packages/server/src/testing/attempts.ts';
import { createWorld } from '../../../packages/server/src/testing/world.ts';

/** An agent whose run outlives its servers, with the token by which it calls them. */
export interface MessagedAgent {
  readonly attempt_id: string;
  readonly token: string;
}

export interface MessagedAgents {
  readonly agents: readonly MessagedAgent[];
  /** The token of the person who writes to them. */
  readonly person: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Starts `count` runs in a data folder, each of its own attempt. No worker of a server holds them, so no kill ends
 * them.
 */
export async function startMessagedAgents(data: string, count: number): Promise<MessagedAgents> {
  const path = join(data, 'errand.db');
  const agents: MessagedAgent[] = [];
  const world = await createWorld({ clock: Date.now, open: (options) => openSqliteStore({ ...options, path }) });
  const board = await aBoard(world);
  const worker = await aWorker(world);
  for (let n = 0; n < count; n++) {
    const { task_id } = await world.ask('create_task', { project_id: board.project_id, title: `Task ${n}` });
    const { attempt_id } = await board.start({ task_id });
    const run = await worker.take();
    await worker.beginSpawn(run);
    agents.push({ attempt_id: String(attempt_id), token: run.secret });
  }
  const scopes = ['board:read', 'board:write', 'board:run'];
  const { token } = await world.ask('admin_create_token', { kind: 'user', name: 'person', scopes });
  await world.gateway.close();
  await world.store.close();
  const database = new DatabaseSync(path);
  database.exec(`update runs set lease_until = ${Date.now() + DAY_MS}`);
  database.close();
  return { agents, person: String(token) };
}

/** How the messages of a data folder stand: ids by status. Asked while no server runs. */
export function messagesByStatus(data: string): ReadonlyMap<string, ReadonlySet<string>> {
  const database = new DatabaseSync(join(data, 'errand.db'), { readOnly: true });
  try {
    const found = new Map<string, Set<string>>();
    for (const { id, status } of database.prepare('select id, status from agent_messages').all()) {
      const ids = found.get(String(status)) ?? new Set();
      found.set(String(status), ids.add(String(id)));
    }
    return found;
  } finally {
    database.close();
  }
}
