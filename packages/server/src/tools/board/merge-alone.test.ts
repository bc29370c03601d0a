import { describe, expect, it } from 'vitest';
import type { AttemptId } from '#domain/ids';
import type { Scope } from '#domain/scope';
import { aShippable } from '#testing/git-jobs';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';

const SCOPES: readonly Scope[] = ['board:read', 'board:write', 'board:run', 'board:merge'];

const jobsOf = (world: World, id: AttemptId) =>
  world.store.reads.gitJobs.ofAttempt({ id, workspace_id: world.owner.workspace_id }, 20);

const findAttempt = (world: World, id: AttemptId) =>
  world.store.reads.attempts.find({ workspace_id: world.owner.workspace_id, project_ids: 'all' }, id);

const setVerdict = (world: World, id: AttemptId, verdict: 'green' | 'red') =>
  world.store.transaction(async (tx) => {
    const attempt = await tx.attempts.find({ workspace_id: world.owner.workspace_id, project_ids: 'all' }, id);
    if (attempt !== null) await tx.attempts.update({ ...attempt, verdict });
  });

/** A task with two attempts that have ended. */
async function twoAttempts(world: World) {
  const ship = await aShippable(world);
  const one = await ship.attempt();
  world.time.now += 1_000;
  return { ship, one, other: await ship.attempt() };
}

describe('[L-SHIP] of the attempts at a task, one is merged', () => {
  it('[L-SHIP] refuses a second merge while the first waits or goes on, and names it', async () => {
    await using world = await createWorld();
    const { ship, one, other } = await twoAttempts(world);
    const first = world.ask('merge_attempt', { attempt_id: one });
    await expect.poll(async () => (await jobsOf(world, one)).length).toBe(1);

    const waiting = await world.refuse('merge_attempt', { attempt_id: other });
    const claimed = await ship.take();
    await ship.jobs.commit(claimed.job, '{"moves":[]}');
    const going = await world.refuse('merge_attempt', { attempt_id: other });
    await ship.merged(claimed);

    for (const refused of [waiting, going])
      expect(refused).toMatchObject({ code: 'merge_in_progress', message: expect.stringContaining('1.1') });
    expect(await jobsOf(world, other)).toEqual([]);
    expect(await first).toMatchObject({ status: 'merged' });
    expect([await findAttempt(world, one), await findAttempt(world, other)]).toMatchObject([
      { merged_at: world.time.now, archived_at: null },
      { merged_at: null, archived_at: world.time.now },
    ]);
  });

  it('[L-SHIP] lets another attempt be rebased meanwhile: its own branch is no matter of the merge', async () => {
    await using world = await createWorld();
    const { ship, one, other } = await twoAttempts(world);
    const merging = world.ask('merge_attempt', { attempt_id: one });
    const claimed = await ship.take();
    const rebasing = world.ask('rebase_attempt', { attempt_id: other });
    const rebase = await ship.take();
    await ship.jobs.finish(rebase.job, { status: 'done', result: { commits: [] } });
    await ship.merged(claimed);

    expect(await rebasing).toMatchObject({ status: 'merged' });
    expect(await merging).toMatchObject({ status: 'merged' });
  });

  it('[L-SHIP] moves no branch of an attempt that was archived or merged at the forge while its merge was computed', async () => {
    await using world = await createWorld();
    const { ship, one } = await twoAttempts(world);
    for (const field of ['archived_at', 'merged_at'] as const) {
      const asked = world.ask('merge_attempt', { attempt_id: one, mode: field === 'merged_at' ? 'squash' : 'merge' });
      const { job } = await ship.take();
      const before = await findAttempt(world, one);
      if (before === null) throw new Error('no attempt');
      await world.store.transaction((tx) => tx.attempts.update({ ...before, [field]: 7 }));

      expect(await ship.jobs.commit(job, '{"moves":[]}')).toBe(false);

      expect(await asked).toMatchObject({ status: 'refused', code: field.replace('_at', '') });
      await world.store.transaction((tx) => tx.attempts.update(before));
    }
  });
});

describe('[L-SHIP] while a merge goes on', () => {
  it.each(['delete_task', 'choose_attempt'] as const)('[L-SHIP] refuses %s, and allows it afterwards', async (tool) => {
    await using world = await createWorld();
    const { ship, one, other } = await twoAttempts(world);
    const input = tool === 'delete_task' ? { task_id: ship.task_id } : { attempt_id: other };
    const asked = world.ask('merge_attempt', { attempt_id: one });
    const claimed = await ship.take();
    await ship.jobs.commit(claimed.job, '{"moves":[]}');

    expect(await world.refuse(tool, input)).toMatchObject({ code: 'merge_in_progress' });

    expect(await ship.jobs.isHeld(claimed.job)).toBe(true);
    await ship.merged(claimed);
    expect(await asked).toMatchObject({ status: 'merged' });
    await world.ask(tool, input);
  });

  it('[L-SHIP] refuses to delete the task of a rebase or pull request that goes on', async () => {
    await using world = await createWorld();
    const { ship, one } = await twoAttempts(world);
    for (const tool of ['rebase_attempt', 'open_pull_request']) {
      const asked = world.ask(tool, { attempt_id: one });
      const { job } = await ship.take();
      expect(await world.refuse('delete_task', { task_id: ship.task_id })).toMatchObject({ code: 'merge_in_progress' });
      await ship.jobs.finish(job, { status: 'refused', result: { code: 'busy', reason: 'Later.' } });
      await asked;
    }
    await world.ask('delete_task', { task_id: ship.task_id });
  });
});

describe('[L-SHIP] a merge that cannot go on', () => {
  const AWAY = { code: 'unreadable', reason: 'shop cannot be read.' };

  async function waitingMerge(world: World) {
    const { ship, one } = await twoAttempts(world);
    const asked = world.refuse('merge_attempt', { attempt_id: one });
    const { job } = await ship.take();
    await ship.jobs.commit(job, '{"moves":[]}');
    await ship.jobs.wait(job, AWAY, ship.LEASE_MS);
    return { ship, one, asked, job };
  }

  it('[L-SHIP] says why at once, is tried again after a while, and ends as if nothing had been', async () => {
    await using world = await createWorld();
    const { ship, one, asked, job } = await waitingMerge(world);

    const refusal = { code: 'merge_in_progress', message: expect.stringContaining(AWAY.reason), retryable: true };
    expect(await asked).toMatchObject({ ...refusal, hint: expect.stringContaining('stop_attempt') });
    expect(await world.refuse('merge_attempt', { attempt_id: one })).toMatchObject(refusal);
    expect(await ship.jobs.isHeld(job)).toBe(false);
    expect(await ship.jobs.lost([])).toEqual([]);
    world.time.now += ship.LEASE_MS;
    await ship.worker.beatAgain();
    const [lost] = await ship.jobs.lost([]);
    if (lost === undefined) throw new Error('nothing is lost');
    const again = world.ask('merge_attempt', { attempt_id: one });
    const by = { worker_id: 'worker-2', host_id: 'host-1', lease_ms: ship.LEASE_MS };
    const claimed = await ship.jobs.takeOver(lost, [], by);
    if (claimed !== null) await ship.merged(claimed);

    expect(claimed?.job.plan).toBe('{"moves":[]}');
    expect(await again).toMatchObject({ status: 'merged' });
  });

  it('[L-SHIP] is given up by stop_attempt, which says where to look and not that nothing was changed', async () => {
    await using world = await createWorld();
    const { one } = await waitingMerge(world);

    await world.ask('stop_attempt', { attempt_id: one });

    const [job] = await jobsOf(world, one);
    expect(job).toMatchObject({ status: 'failed', ended_at: world.time.now });
    expect(job?.result).toContain(AWAY.reason);
    expect(await findAttempt(world, one)).toMatchObject({ merged_at: null, archived_at: null });
  });

  it('[L-SHIP] does not keep attempts at other tasks from being merged', async () => {
    await using world = await createWorld();
    const { ship } = await waitingMerge(world);
    const { task_id } = await world.ask('create_task', { project_id: ship.project_id, title: 'Another' });
    const attempt_id = await ship.attempt(task_id as string);

    const asked = world.ask('merge_attempt', { attempt_id });
    await ship.merged(await ship.take());

    expect(await asked).toMatchObject({ status: 'merged' });
  });
});

describe('[L-SHIP] green checks count for the attempt that they are of', () => {
  it.each([
    ['green', 'red', null],
    ['red', 'green', 'completion_blocked'],
  ] as const)('[L-SHIP] an agent merges a %s attempt, though a later one is %s: %s', async (verdict, later, code) => {
    await using world = await createWorld();
    const { ship, one, other } = await twoAttempts(world);
    await ship.setProject({ require_green: true });
    await setVerdict(world, one, verdict);
    await setVerdict(world, other, later);
    const robot = await createTracker(world).agent({ projects: [ship.project_id], scopes: SCOPES, can_complete: true });

    const asked = world.call('merge_attempt', { attempt_id: one }, robot);
    if (code === null) await ship.merged(await ship.take());

    expect(await asked).toMatchObject(code === null ? { ok: true } : { error: { code } });
  });

  it('[L-SHIP] an agent completes the task by the attempt that was merged, whatever a later one says', async () => {
    await using world = await createWorld();
    const { ship, one, other } = await twoAttempts(world);
    await ship.setProject({ require_green: true });
    await setVerdict(world, one, 'green');
    const asked = world.ask('merge_attempt', { attempt_id: one });
    await ship.merged(await ship.take());
    await asked;
    await world.ask('update_task', { task_id: ship.task_id, status: 'inprogress' });
    await setVerdict(world, other, 'red');
    const later = await findAttempt(world, other);
    if (later !== null)
      await world.store.transaction((tx) => tx.attempts.update({ ...later, verdict: 'red', archived_at: null }));
    const robot = await createTracker(world).agent({ projects: [ship.project_id], scopes: SCOPES, can_complete: true });

    await world.ask('update_task', { task_id: ship.task_id, status: 'done' }, robot);

    expect(await world.ask('get_task', { task_id: ship.task_id })).toMatchObject({ status: 'done' });
  });
});
