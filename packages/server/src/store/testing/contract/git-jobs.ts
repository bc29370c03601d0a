import { expect, it } from 'vitest';
import type { Attempt } from '#domain/attempt';
import { type GitJob, NOT_TAKEN } from '#domain/git-job';
import type { GitJobId } from '#domain/ids';
import { anAttempt, settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

const LEASE_MS = 60_000;

const aJob = (attempt: Attempt, fields: Partial<GitJob> = {}): GitJob => ({
  id: anId<GitJobId>(),
  operation_id: anId(),
  workspace_id: attempt.workspace_id,
  project_id: attempt.project_id,
  attempt_id: attempt.id,
  kind: 'merge',
  mode: null,
  request: '{}',
  ...NOT_TAKEN,
  host_id: null,
  user_id: attempt.created_by_user_id,
  agent_id: null,
  created_at: 1,
  ...fields,
});

const idsOf = (jobs: readonly GitJob[]): readonly GitJobId[] => jobs.map(({ id }) => id);

/** Merges, rebases and pull requests, and the workers that carry them out. */
export function describeGitJobs(open: OpenFixture): void {
  it('[18.1] keeps every field of a git job, and changes fields of this job only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, everything, elsewhere, attempt } = await settleBoard(store);
    const agent = anAgent(user);
    const made = await attempt();
    const [job, other] = [aJob(made, { mode: 'squash', agent_id: agent.id }), aJob(made)];
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const one of [job, other]) await tx.gitJobs.insert(one);
    });
    const changed: Partial<GitJob> = {
      status: 'conflicts',
      phase: 'committing',
      plan: '[1]',
      result: '{}',
      host_id: 'host-1',
      worker_id: 'worker-1',
      epoch: 3,
      lease_until: 1_700_000_000_001,
      ended_at: 1_700_000_000_002,
    };
    const fixed: Partial<GitJob> = { kind: 'rebase', mode: null, request: '[]', operation_id: 'stays', created_at: 9 };
    const { find, findForWorker } = store.reads.gitJobs;

    expect(await find(everything, job.id)).toEqual(job);
    await store.transaction((tx) => tx.gitJobs.update({ ...job, ...fixed, ...changed }));

    expect(await find(everything, job.id)).toEqual({ ...job, ...changed });
    expect(await findForWorker(job.id)).toEqual({ ...job, ...changed });
    expect(await find(everything, other.id)).toEqual(other);
    for (const within of elsewhere) expect(await find(within, job.id)).toBeNull();
  });

  it('[18.2] finds the job of an operation and those of an attempt, for their workspace alone', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { foreign, attempt } = await settleBoard(store);
    const [made, another] = [await attempt(), await attempt()];
    const [first, second] = [aJob(made, { created_at: 1 }), aJob(made, { created_at: 2 })];
    await store.transaction(async (tx) => {
      for (const job of [first, second, aJob(another)]) await tx.gitJobs.insert(job);
    });
    const { ofOperation, ofAttempt } = store.reads.gitJobs;

    expect(await ofOperation(made.workspace_id, first.operation_id)).toEqual(first);
    expect(await ofOperation(foreign.workspace_id, first.operation_id)).toBeNull();
    expect(await ofAttempt(made, 9)).toEqual([second, first]);
    expect(await ofAttempt(made, 1)).toEqual([second]);
    expect(await ofAttempt({ ...made, workspace_id: foreign.workspace_id }, 9)).toEqual([]);
    const again = store.transaction((tx) => tx.gitJobs.insert({ ...first, id: anId() }));
    await expect(again).rejects.toThrow();
  });

  it('[18.6] finds the jobs of all attempts at a work item that have not ended, oldest first', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, item, foreign, attempt } = await settleBoard(store);
    const other = garden.anItem();
    const elsewhere = anAttempt(other, user);
    const [one, two] = [await attempt(), await attempt()];
    const [later, earlier] = [aJob(one, { created_at: 2 }), aJob(two, { created_at: 1, status: 'running' })];
    await store.transaction(async (tx) => {
      await tx.workItems.insert(other);
      await tx.attempts.insert(elsewhere, []);
      for (const job of [later, earlier, aJob(one, { status: 'done', ended_at: 3 }), aJob(elsewhere)])
        await tx.gitJobs.insert(job);
    });
    const { openOfItem } = store.reads.gitJobs;

    expect(await openOfItem(item)).toEqual([earlier, later]);
    expect(await openOfItem({ ...item, workspace_id: foreign.workspace_id })).toEqual([]);
  });

  it('[18.3] finds the queued jobs of a machine and those of no machine, oldest first', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt } = await settleBoard(store);
    const made = await attempt();
    const here = aJob(made, { host_id: 'here', created_at: 2 });
    const anywhere = aJob(made, { created_at: 1 });
    await store.transaction(async (tx) => {
      const jobs = [
        here,
        anywhere,
        aJob(made, { host_id: 'there' }),
        aJob(made, { host_id: 'here', status: 'running' }),
        aJob(made, { host_id: 'here', status: 'refused', ended_at: 3 }),
      ];
      for (const job of jobs) await tx.gitJobs.insert(job);
    });
    const { waiting } = store.reads.gitJobs;

    expect(idsOf(await waiting({ host_id: 'here', limit: 9 }))).toEqual([anywhere.id, here.id]);
    expect(idsOf(await waiting({ host_id: 'here', limit: 1 }))).toEqual([anywhere.id]);
    expect(idsOf(await store.transaction((tx) => tx.gitJobs.waiting({ host_id: 'elsewhere', limit: 9 })))).toEqual([
      anywhere.id,
    ]);
  });

  it('[18.4] finds the jobs that are lost by its own clock or with their workers', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt } = await settleBoard(store);
    const made = await attempt();
    const lease_until = (await store.transaction(async (tx) => tx.now)) + LEASE_MS;
    const running = (created_at: number, fields: Partial<GitJob>) =>
      aJob(made, { status: 'running', lease_until, created_at, ...fields });
    const held = running(1, { worker_id: 'worker-1' });
    const other = running(2, { worker_id: 'worker-2' });
    const late = running(3, { worker_id: 'worker-1', lease_until: lease_until - LEASE_MS - 1 });
    const unheld = running(4, { lease_until: null });
    await store.transaction(async (tx) => {
      const ended = running(5, { status: 'done', lease_until: 1, ended_at: 6 });
      for (const job of [held, other, late, unheld, ended, aJob(made)]) await tx.gitJobs.insert(job);
    });
    const lost = async (...workers: readonly string[]) => {
      const outside = idsOf(await store.reads.gitJobs.lost(workers));
      expect(idsOf(await store.transaction((tx) => tx.gitJobs.lost(workers)))).toEqual(outside);
      return outside;
    };

    expect(await lost()).toEqual(idsOf([late, unheld]));
    expect(await lost('worker-2', 'worker-3')).toEqual(idsOf([other, late, unheld]));
    await fixture.elapse(2 * LEASE_MS);

    expect(await lost()).toEqual(idsOf([held, other, late, unheld]));
  });

  it('[18.5] finds the pull requests that are due on a machine, the most overdue first', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { foreign, attempt } = await settleBoard(store);
    const [first, second, later, there] = [await attempt(), await attempt(), await attempt(), await attempt()];
    const watch = (of: Attempt, next_at: number, host_id = 'here') => ({ attempt_id: of.id, host_id, next_at });
    const seen = (of: Attempt, next_at: number) => ({
      ...watch(of, next_at),
      workspace_id: of.workspace_id,
      project_id: of.project_id,
    });
    const at = await store.transaction(async (tx) => {
      await tx.gitJobs.putWatch(watch(first, tx.now));
      await tx.gitJobs.putWatch(watch(second, tx.now - 1));
      await tx.gitJobs.putWatch(watch(later, tx.now + LEASE_MS));
      await tx.gitJobs.putWatch(watch(there, tx.now - 1, 'there'));
      return tx.now;
    });
    const due = async (limit = 9) => {
      const outside = await store.reads.gitJobs.dueWatches({ host_id: 'here', limit });
      expect(await store.transaction((tx) => tx.gitJobs.dueWatches({ host_id: 'here', limit }))).toEqual(outside);
      return outside;
    };

    expect(await due()).toEqual([seen(second, at - 1), seen(first, at)]);
    expect(await due(1)).toEqual([seen(second, at - 1)]);
    await store.transaction(async (tx) => {
      await tx.gitJobs.putWatch(watch(first, tx.now + LEASE_MS));
      await tx.gitJobs.dropWatch({ id: second.id, workspace_id: foreign.workspace_id });
    });
    expect((await due()).map(({ attempt_id }) => attempt_id)).toEqual([second.id]);
    await store.transaction((tx) => tx.gitJobs.dropWatch(second));
    expect(await due()).toEqual([]);
    await fixture.elapse(2 * LEASE_MS);

    expect((await due()).map(({ attempt_id }) => attempt_id).toSorted()).toEqual([first.id, later.id].toSorted());
  });
}
