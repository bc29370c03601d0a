import { expect, inject, it } from 'vitest';
import { openPostgresTrail } from '#testing/open-trail';
import { createWorld, type World } from '#testing/world';

const TASKS = 120;
/** Around the sizes that have a statement of their own, and the most that a caller may ask for. */
const SIZES = [1, 49, 50, 51, 52, 119, 120, 200];
const PRIORITIES = ['low', 'urgent', 'none', 'high'] as const;

interface Page {
  readonly tasks: readonly { readonly title: string }[];
  readonly next_cursor?: string;
}

/** The titles of all pages, and how many each had. */
async function walk(world: World, tool: string, input: object): Promise<readonly string[]> {
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await world.ask(tool, { ...input, ...(cursor !== undefined && { cursor }) })) as unknown as Page;
    titles.push(...page.tasks.map(({ title }) => title));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return titles;
}

/** The lists of a board with many tasks, a fourth of them blocked and a fourth done, in pages of each size. */
async function listsOf(world: World) {
  const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
  const rows = Array.from({ length: TASKS }, (_, at) => {
    const blocker = at % 4 === 3 ? String(at - 1) : '';
    return `${at},Task ${at},${at % 4 === 1 ? 'done' : 'todo'},${PRIORITIES[at % 3]},${blocker}`;
  });
  const text = ['id,title,status,priority,blocked by', ...rows].join('\n');
  await world.ask('import_tasks', { project_id, files: [{ path: '', text }] });
  const { user_id } = world.owner;
  for (let at = 0; at < 53; at += 1) await world.ask('todo_add_task', { user_id, title: `Todo ${at}` });
  const lists = {
    every: ['list_tasks', { project_id }],
    ready: ['list_tasks', { project_id, ready: true }],
    done: ['list_tasks', { project_id, status: 'done' }],
    todos: ['todo_list_tasks', { user_id }],
  } as const;
  const found = Object.entries(lists).map(async ([name, [tool, input]]) => {
    const pages: (readonly string[])[] = [];
    for (const limit of SIZES) pages.push(await walk(world, tool, { ...input, limit }));
    return [name, pages] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

it('gives the same rows in pages of any size, from SQLite as from PostgreSQL', async () => {
  await using trail = await openPostgresTrail(inject('postgresUrl'));
  await using small = await createWorld();
  const large = await createWorld({ open: async () => trail.store });

  const lists = await listsOf(small);

  for (const [name, pages] of Object.entries(lists)) {
    for (const page of pages) expect([name, page]).toEqual([name, pages[0]]);
  }
  const { every = [], ready = [], done = [], todos = [] } = lists;
  expect([every, ready, done, todos].map(([first]) => new Set(first).size)).toEqual([TASKS, 60, 30, 53]);
  expect(await listsOf(large)).toEqual(lists);
});
