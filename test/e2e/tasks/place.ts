import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { TaskError } from '../../../packages/tasks/src/errors.ts';
import type { TaskStore } from '../../../packages/tasks/src/store.ts';

/** The store location of the processes of a run. */
export type Place =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string }
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string };

export interface Servers {
  readonly postgres_url: string;
  readonly redis_url: string;
}

/** Makes a new store location; a file is in the folder. */
export function freshPlace(kind: Place['kind'], folder: string, { postgres_url, redis_url }: Servers): Place {
  const name = `tasks_${randomUUID().replaceAll('-', '')}`;
  if (kind === 'sqlite') return { kind, path: join(folder, `${name}.db`) };
  return kind === 'postgres' ? { kind, url: postgres_url, schema: name } : { kind, url: redis_url, prefix: name };
}

async function openOnce(place: Place): Promise<TaskStore> {
  switch (place.kind) {
    case 'sqlite':
      return (await import('../../../packages/tasks/src/stores/sqlite/sqlite-store.ts')).openSqliteStore(place);
    case 'postgres':
      return (await import('../../../packages/tasks/src/stores/postgres/postgres-store.ts')).openPostgresStore(place);
    case 'redis':
      return (await import('../../../packages/tasks/src/stores/redis/redis-store.ts')).openRedisStore(place);
  }
}

const MAX_OPENINGS = 10;

/** Opens the store, again and again while it is away: on a busy machine a connection may take longer than its limit. */
export async function openPlace(place: Place): Promise<TaskStore> {
  for (let opening = 1; ; opening += 1) {
    try {
      return await openOnce(place);
    } catch (error) {
      const isAway = error instanceof TaskError && error.code === 'store_unavailable';
      if (!isAway || opening === MAX_OPENINGS) throw error;
    }
  }
}
