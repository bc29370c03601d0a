import type { Harbour } from './harbour.ts';
import { HOUR, NOW } from './schedule.ts';

const MANY = 2_400;
const AT_ONCE = 100;
const NOUNS = ['tax', 'invoice', 'cart', 'stock', 'wishlist', 'order', 'search', 'refund'];
const VERBS = ['Round', 'Send', 'Drop', 'Show', 'Share', 'Keep', 'Sort', 'Check'];

/** Writes down a project with thousands of tasks, one with none, and a member who reaches neither. */
export function addLargeProject({ schedule, as, people }: Harbour): void {
  schedule.at(NOW - 9 * HOUR, async () => {
    await as('Ana Ruiz', 'admin_add_project', { key: 'NEW', name: 'Returns' });
    const { project_id } = await as('Ana Ruiz', 'admin_add_project', { key: 'MANY', name: 'Archive' });
    for (let from = 0; from < MANY; from += AT_ONCE) {
      const tasks = Array.from({ length: AT_ONCE }, (_, at) => {
        const n = from + at;
        const title = `${VERBS[n % 8]} the ${NOUNS[(n * 3 + Math.floor(n / 8)) % 8]}, case ${n + 1}`;
        return { ref: `t${n}`, title, priority: (['none', 'low', 'medium', 'high'] as const)[n % 4] };
      });
      await as('Ana Ruiz', 'create_tasks', { project_id, tasks });
    }
    const { user_id } = await as('Ana Ruiz', 'admin_add_user', { name: 'Noor Haddad' });
    people.set('Noor Haddad', String(user_id));
  });
}
