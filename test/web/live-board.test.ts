import { describe, expect, it } from 'vitest';
import { aSite } from './site.ts';

const TASKS = 130;
const BATCH = 65;

/** A project with more tasks than a column reads at first. */
async function aLongBoard() {
  const site = await aSite();
  const { world } = site;
  const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
  for (let from = 1; from <= TASKS; from += BATCH) {
    const tasks = Array.from({ length: BATCH }, (_, at) => ({ ref: String(at), title: `Task ${from + at}` }));
    world.time.now += 1;
    await world.ask('create_tasks', { project_id, tasks });
  }
  return { ...site, project_id };
}

describe('a board with more cards than are drawn', () => {
  it('keeps what a person has loaded, and reads the changed cards alone', async () => {
    await using site = await aLongBoard();
    const { world } = site;
    await using window = await site.open('/p/SHO');
    const { page } = window;
    const todo = page.getByTestId('column-todo');
    await page.getByTestId('card-SHO-1').waitFor();
    await todo.locator('.col-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
    await todo.getByText(/^Show \d+ more$/).waitFor({ state: 'detached' });
    const asked: URL[] = [];
    page.on('request', (request) => void (request.url().includes('/cards') && asked.push(new URL(request.url()))));

    await todo.locator('.col-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
    await page.getByTestId(`card-SHO-${TASKS}`).waitFor();
    await world.ask('update_task', { task_id: `SHO-${TASKS}`, title: 'Renamed at the end' });
    await page.getByText('Renamed at the end').waitFor();
    await world.ask('update_task', { task_id: `SHO-${TASKS}`, status: 'done' });
    await page.getByTestId('column-done').getByText('Renamed at the end').waitFor();
    await todo.locator('.num', { hasText: String(TASKS - 1) }).waitFor();

    expect(asked.map(({ searchParams }) => searchParams.has('task_ids'))).not.toContain(false);
    expect(await todo.getByText(/^Show \d+ more$/).count()).toBe(0);
  });

  it('changes the cards that a changed task touches, and loses one that is deleted', async () => {
    await using site = await aLongBoard();
    const { world, project_id } = site;
    await world.ask('create_task', { project_id, title: 'Waits', blocked_by: ['SHO-1'] });
    await world.ask('update_task', { task_id: 'SHO-131', status: 'inreview' });
    await using window = await site.open('/p/SHO');
    const { page } = window;
    const waiting = page.getByTestId('card-SHO-131');
    await waiting.getByText('Blocked by').waitFor();

    await world.ask('update_task', { task_id: 'SHO-1', status: 'done' });
    await waiting.getByText('Blocked by').waitFor({ state: 'detached' });
    await world.ask('delete_task', { task_id: 'SHO-131' });
    await waiting.waitFor({ state: 'detached' });

    await page.getByTestId('column-inreview').locator('.num', { hasText: /^0$/ }).waitFor();
  });
});
