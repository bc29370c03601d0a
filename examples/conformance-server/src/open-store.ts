import type { TaskStore } from '@errand/tasks';
import { memoryStore } from '@errand/tasks/memory';

/** Opens `memory`, `sqlite:PATH`, `postgres://…` or `redis://…`. */
export async function openStore(place: string): Promise<TaskStore> {
  if (place === 'memory') return memoryStore();
  const [kind] = place.split(':', 1);
  switch (kind) {
    case 'sqlite': {
      const { openSqliteStore } = await import('@errand/tasks/sqlite');
      return await openSqliteStore({ path: place.slice('sqlite:'.length) });
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgresStore } = await import('@errand/tasks/postgres');
      return await openPostgresStore({ url: place });
    }
    case 'redis': {
      const { openRedisStore } = await import('@errand/tasks/redis');
      return await openRedisStore({ url: place });
    }
    default:
      throw new Error(`No store is known by "${place}".`);
  }
}
