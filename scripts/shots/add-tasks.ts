import type { Harbour, ProjectKey } from './harbour.ts';
import { DAY, HOUR, NOW } from './schedule.ts';
import { ABOUT_RETRIES, ELSEWHERE, type SampleTask, STOREFRONT } from './storefront-tasks.ts';

const LAST = 156;

/** Makes tasks up to a number: keys are counted, so those that the design does not show are made and deleted. */
async function makeNumbered({ as, projects }: Harbour, key: ProjectKey, titles: ReadonlyMap<number, string>) {
  const project_id = projects.get(key);
  const last = Math.max(...titles.keys());
  for (let number = 1; number <= last; number += 1) {
    const title = titles.get(number);
    // An agent has split off the task that the pictures show.
    const who = key === 'SHOP' && number === 142 ? 'scout' : 'Ana Ruiz';
    await as(who, 'create_task', {
      project_id,
      title: title ?? 'Left out',
      ...(number === 142 && { description: ABOUT_RETRIES }),
    });
    if (title === undefined) await as(who, 'delete_task', { task_id: `${key}-${number}` });
  }
}

async function fillIn({ as, labels, people }: Harbour, task: SampleTask): Promise<void> {
  const key = `SHOP-${task.number}`;
  const { priority, assignee, blocked_by, criteria = [], ticked = 0, state } = task;
  if (priority !== undefined || blocked_by !== undefined) {
    await as('Ana Ruiz', 'update_task', {
      task_id: key,
      ...(priority && { priority }),
      ...(blocked_by && { blocked_by }),
    });
  }
  const label_ids = task.labels?.map((name) => labels.get(name));
  if (label_ids !== undefined) await as('Ana Ruiz', 'tasker_set_issue_labels', { issue_id: key, label_ids });
  if (assignee !== undefined) {
    await as('Ana Ruiz', 'tasker_assign_issue', { issue_id: key, assignee_ids: [people.get(assignee)] });
  }
  if (criteria.length > 0) {
    const items = criteria.map((text, at) => ({ text, checked: at < ticked }));
    await as('Ana Ruiz', 'tasker_update_structured_blocks', {
      issue_id: key,
      action: 'append_checker',
      title: 'Acceptance criteria',
      items,
    });
  }
  if (state !== undefined && state !== 'done') await as('Ana Ruiz', 'update_task', { task_id: key, status: state });
}

/** Writes down how the tasks came about. */
export function addTasks(harbour: Harbour): void {
  const { schedule, as } = harbour;
  const titles = new Map(STOREFRONT.map(({ number, title }) => [number, title]));
  schedule.at(NOW - 8 * DAY, () => makeNumbered(harbour, 'SHOP', new Map([...titles, [LAST, 'Plan the tax work']])));
  for (const [key, tasks] of Object.entries(ELSEWHERE) as [ProjectKey, Readonly<Record<number, string>>][]) {
    const numbered = new Map(Object.entries(tasks).map(([number, title]) => [Number(number), title]));
    schedule.at(NOW - 7 * DAY, () => makeNumbered(harbour, key, numbered));
  }
  for (const task of STOREFRONT) {
    schedule.at(task.state === 'done' ? task.at - HOUR : task.at, () => fillIn(harbour, task));
    if (task.state !== 'done') continue;
    schedule.at(task.at + 1_000, () =>
      as(task.by ?? 'Ana Ruiz', 'update_task', { task_id: `SHOP-${task.number}`, status: 'done' }),
    );
  }
  schedule.at(NOW - 4 * DAY, async () => {
    for (const child of ['SHOP-148', 'SHOP-150']) {
      await as('Ana Ruiz', 'tasker_update_issue', { issue_id: child, parent_id: 'SHOP-142' });
    }
    await as('Ana Ruiz', 'tasker_update_issue', {
      issue_id: 'SHOP-142',
      parent_id: 'SHOP-120',
      target_date: '2026-11-21',
    });
  });
}
