import { markSilent } from '../../packages/server/src/services/runs/silence.ts';
import { AGENT_NAMES, type Harbour } from './harbour.ts';
import { RUNS } from './sample-runs.ts';
import { clock, NOW } from './schedule.ts';

const WORKER = ['board:read', 'board:write'];
const PLANNER = [...WORKER, 'board:run'];

/** How often each client has connected, and with which protocol. */
const CLIENTS = [
  ['Claude Code', '2.1.325', '2026-07-28', 12],
  ['Codex', '0.166.0', '2025-06-18', 7],
  ['Gemini CLI', '0.61.0', '2025-06-18', 4],
  ['opencode', '1.18.33', '2025-11-25', 3],
  ['Copilot CLI', '1.0.102', '2026-07-28', 2],
  ['Cline', '3.0.65', '2024-11-05', 1],
] as const;

/** Writes down what is left: clients that connect, calls that are refused, a person who sets a priority, silent runs. */
export function addOtherEvents(harbour: Harbour): void {
  const { schedule, as, world, agents, projects, worker, AGENTS } = harbour;
  schedule.at(clock('07:10'), async () => {
    for (const name of ['Ana Ruiz', 'Noor Haddad']) harbour.cookies.set(name, await harbour.signIn(name));
    await as('Ana Ruiz', 'admin_set_password', {
      user_id: harbour.people.get('Sam Okoro'),
      password: 'correct horse battery',
    });
  });
  // As a server that runs notes them.
  for (let minute = 0; minute < 60; minute += 1) {
    schedule.at(NOW - minute * 60_000, async () => {
      const { queued } = await world.store.reads.operations.queue(world.installation.workspace_id);
      const { bytes } = await world.store.reads.operations.database();
      world.queues.add({ queued, database_bytes: bytes });
    });
  }
  schedule.at(clock('09:00'), async () => {
    for (const [name, version, protocol_version, count] of CLIENTS) {
      for (let n = 0; n < count; n += 1) {
        const facts = JSON.stringify({ protocol_version, client: { name, version } });
        await world.gateway.client_sessions.open(world.owner, `${name} ${n}`, facts);
      }
    }
  });
  for (const task_id of ['DOCS-31', 'PAY-81', 'PAY-84', 'PAY-86']) {
    schedule.at(clock('14:00'), () => as('Sam Okoro', 'update_task', { task_id, status: 'done' }));
  }
  schedule.at(clock('13:20'), () =>
    as('tally', 'create_task', { project_id: projects.get('SHOP'), title: 'Not there' }).catch(() => undefined),
  );
  schedule.at(clock('14:13:40'), () => as('atlas', 'next_task', { task_id: 'SHOP-138' }).catch(() => undefined));
  for (let second = 0; second < 40; second += 1) {
    schedule.at(NOW - 300_000 + second * 7_000, () =>
      as(
        'atlas',
        second % 3 === 0 ? 'get_task' : 'list_tasks',
        second % 3 === 0 ? { task_id: 'SHOP-142' } : { project_id: projects.get('SHOP') },
      ),
    );
  }
  // The agents had more rights before, to start the attempts that the pictures show.
  for (const name of AGENT_NAMES) {
    const last = Math.max(
      clock(name === 'atlas' ? '14:09:10' : '12:00'),
      ...RUNS.filter(({ agent }) => agent === name).map(({ from }) => from),
    );
    for (const key of AGENTS[name].in) {
      schedule.at(last + 2_000, () =>
        as('Sam Okoro', 'admin_grant_agent', {
          agent_id: agents.get(name),
          project_id: projects.get(key),
          scopes: name === 'scout' ? PLANNER : name === 'fern' ? [...WORKER, 'issue:read'] : WORKER,
          can_complete: name === 'atlas',
        }),
      );
    }
  }
  schedule.at(NOW, async () => {
    await worker.beatAgain();
    await world.store.transaction(markSilent);
  });
}
