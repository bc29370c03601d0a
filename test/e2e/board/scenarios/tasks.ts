import { expect } from 'vitest';
import type { Scenario, Stage } from '../stage.ts';
import { overRest } from '../ways.ts';

const listed = async ({ call, project_id }: Stage, filter: object): Promise<readonly unknown[]> =>
  ((await call('list_tasks', { project_id, ...filter })).tasks as readonly { readonly task_id: string }[]).map(
    ({ task_id }) => task_id,
  );

/** Makes an agent that may write in the project of the stage. Returns its token. */
async function anAgent({ site, project_id }: Stage): Promise<string> {
  const scopes = ['board:read', 'board:write'];
  return String((await site.admin('create_agent', { name: 'Robot', project_ids: [project_id], scopes })).token);
}

export const TASKS: readonly Scenario[] = [
  {
    cites: ['B-LIST-1', 'B-TOOLS-1'],
    title: 'tasks are made, listed by status and as many as wanted, changed and deleted',
    play: async (stage) => {
      const { call, refused, project_id, repo_id, task } = stage;
      const [first, second] = [await task('First'), await task('Second')];

      const changed = await call('update_task', { task_id: first, status: 'done', description: 'As agreed.' });

      const { projects } = await call('list_projects', { limit: 200 });
      expect(projects).toContainEqual(expect.objectContaining({ project_id, kind: 'team' }));
      expect(await call('list_repos', { project_id })).toEqual({
        repos: [{ repo_id, repo_name: 'shop', target_branch: 'main' }],
      });
      expect(changed).toMatchObject({ task_id: first, status: 'done', latest_attempt_id: null });
      expect(await call('get_task', { task_id: first })).toMatchObject({ title: 'First', description: 'As agreed.' });
      expect(await listed(stage, {})).toEqual([second, first]);
      expect(await listed(stage, { status: 'done' })).toEqual([first]);
      expect(await listed(stage, { limit: 1 })).toEqual([second]);
      expect(await call('delete_task', { task_id: first })).toMatchObject({ deleted: true });
      expect(await refused('get_task', { task_id: first })).toMatchObject({ code: 'not_found' });
      expect(await refused('list_tasks', { project_id, status: 'nowhere' })).toMatchObject({
        code: 'validation_error',
      });
    },
  },
  {
    cites: ['B-LIST-1'],
    title: 'next_task gives each ready task to one caller at a time, and never a blocked one',
    play: async (stage) => {
      const { call, refused, project_id, repo_id, task, site } = stage;
      const blocker = await task('Before');
      const blocked = String(
        (await call('create_task', { project_id, title: 'After', priority: 'urgent', blocked_by: [blocker] })).task_id,
      );
      const robot = await overRest.connect(site, await anAgent(stage));

      const taken = (await call('next_task', { project_id })) as {
        readonly task: { readonly task_id: string; readonly status: string };
        readonly claim: { readonly epoch: number };
      };
      const none = await robot.call('next_task', { project_id });
      const foreign = await robot.call('update_task', { task_id: blocker, title: 'Mine' });
      const early = await refused('next_task', { task_id: blocked });
      const start = { task_id: blocked, executor: 'scripted', repos: [{ repo_id }] };
      const unready = await refused('start_task_attempt', start);
      const again = (await call('next_task', { task_id: blocker })) as typeof taken;
      const fenced = await refused('update_task', { task_id: blocker, claim_epoch: taken.claim.epoch, status: 'done' });
      await call('update_task', { task_id: blocker, claim_epoch: again.claim.epoch, status: 'done' });
      const next = await robot.call('next_task', { project_id });

      expect(taken.task).toMatchObject({ task_id: blocker, status: 'inprogress' });
      expect(none).toMatchObject({ ok: true, value: { task: null, claim: null } });
      expect(foreign).toMatchObject({ ok: false, error: { code: 'conflict' } });
      expect(early).toMatchObject({ code: 'task_blocked' });
      expect(unready).toMatchObject({ code: 'task_blocked' });
      expect(again.claim.epoch).toBeGreaterThan(taken.claim.epoch);
      expect(fenced).toMatchObject({ code: 'claim_lost' });
      expect(next).toMatchObject({ ok: true, value: { task: { task_id: blocked } } });
    },
  },
];
