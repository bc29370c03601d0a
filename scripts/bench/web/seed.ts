import type { Ask, Fields, WebSite } from './site.ts';

/** The most tasks that one call makes. */
const BATCH = 100;
const STATES = ['todo', 'inprogress', 'inreview', 'done'] as const;
const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const;
const AT_ONCE = 8;

/** Calls `work` for every number below `count`, a few at a time. */
export async function eachOf(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

export interface SeededBoard {
  readonly project_id: string;
  readonly key: string;
  readonly task_ids: readonly string[];
}

/** A project with `count` tasks, a quarter of them in each of four states. */
export async function seedBoard(ask: Ask, name: string, count: number): Promise<SeededBoard> {
  const { project_id, key } = await ask('admin_add_project', { name });
  const task_ids: string[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const tasks = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => ({
      ref: String(at),
      title: `${TITLES[(from + at) % TITLES.length]} ${from + at + 1}`,
      priority: PRIORITIES[(from + at) % PRIORITIES.length],
    }));
    const made = (await ask('create_tasks', { project_id, tasks })).tasks as readonly { readonly task_id: string }[];
    task_ids.push(...made.map(({ task_id }) => task_id));
  }
  await eachOf(count, async (at) => {
    const status = STATES[at % STATES.length];
    if (status !== 'todo') await ask('update_task', { task_id: task_ids[at], status });
  });
  return { project_id: String(project_id), key: String(key), task_ids };
}

const TITLES = [
  'Read the address from the configuration',
  'Refuse a name that is taken',
  'Show the newest entry first',
  'Keep what was typed when the page is closed',
  'Count calls by tool',
  'Write the guide for new members',
  'Mend the order of the list',
];

/** Resolves with the id of the step. */
export async function createStep(ask: Ask, step: Fields, token: string): Promise<string> {
  const { data } = await ask('create_step', step, token);
  return (data as { readonly step_id: string }).step_id;
}

/** An agent elsewhere that works on a task and reports steps. */
export interface BusyAgent {
  readonly task_id: string;
  readonly report: (step_name: string) => Promise<void>;
}

/** Agents with a claimed task and a run each. A reported step ends the one before. */
export async function seedAgents(
  { ask }: Pick<WebSite, 'ask'>,
  { project_id, task_ids }: SeededBoard,
  count: number,
): Promise<readonly BusyAgent[]> {
  const agents: BusyAgent[] = [];
  for (let at = 0; at < count; at += 1) {
    const scopes = ['board:read', 'board:write', 'execution:report'];
    const agent = await ask('admin_create_agent', { name: `agent-${at + 1}`, project_ids: [project_id], scopes });
    const token = String(agent.token);
    // The first of every four is ready to begin.
    const task_id = task_ids[at * STATES.length] ?? '';
    await ask('next_task', { task_id, lease_minutes: 600 }, token);
    const { id } = await ask('create_execution', { name: 'Work', work_item_id: task_id }, token);
    let last: unknown;
    const report = async (step_name: string): Promise<void> => {
      const before = last;
      if (before !== undefined) {
        await ask('update_step', { execution_id: id, step_id: before, status: 'completed' }, token);
      }
      last = await createStep(ask, { execution_id: id, step_name }, token);
    };
    agents.push({ task_id, report });
  }
  return agents;
}
