import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { Site } from './site.ts';
import type { Talk } from './talk.ts';
import { isEnded, viewTask } from './task-view.ts';

const LOOK_MS = 250;

const LEFT = `
  select 'run ' || id || ' is ' || status as words from executions where status in ('queued', 'running')
  union all select 'follow-up ' || id || ' waits' from queued_prompts where status = 'queued'`;

const ASKED = `
  select approvals.id from approvals join executions on executions.id = approvals.execution_id
  where approvals.status = 'pending' and executions.status = 'running'`;

/** Answers all questions until nothing runs or waits. Returns what is left without progress for `patience_ms`. */
export async function settle(
  { database, agents }: Site,
  talk: Talk,
  { tasks }: Pick<Ledger, 'tasks'>,
  patience_ms: number,
): Promise<readonly string[]> {
  let open = tasks;
  let before = '';
  let since = Date.now();
  for (;;) {
    for (const { id } of await database.rows(ASKED)) {
      await talk.ask('respond_approval', { approval_id: id, decision: 'approve' });
    }
    const left = (await database.rows(LEFT)).map(({ words }) => String(words));
    const views = await Promise.all(open.map(async (task) => ({ task, view: await viewTask(talk, task) })));
    open = views.filter(({ view }) => !isEnded(view)).map(({ task }) => task);
    if (left.length === 0 && open.length === 0) return [];

    const now = JSON.stringify([left, open.length, agents.notes().length]);
    if (now !== before) since = Date.now();
    before = now;
    if (Date.now() - since > patience_ms) {
      return [
        ...left,
        ...views.flatMap(({ task, view }) => (isEnded(view) ? [] : [`task ${task.key} is ${view.status}`])),
      ];
    }
    await sleep(LOOK_MS);
  }
}
