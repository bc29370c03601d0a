import { expect, it } from 'vitest';
import type { Attempt } from '#domain/attempt';
import { anAttempt, aRepo, aSession, inRepo, settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

/** Attempts at work items, and what they did to repositories. */
export function describeAttempts(open: OpenFixture): void {
  it('[11.1] keeps every field of an attempt, and writes only changed fields, of this attempt only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, user, garden, everything, attempt } = await settleBoard(store);
    const agent = anAgent(user);
    await store.transaction((tx) => tx.agents.insert(agent));
    const full = await attempt({
      branch: 'full',
      host_id: 'host-1',
      removal: 'refused',
      run_status: 'failed',
      outside: '{"paths":["a"],"total":1}',
      verdict: 'red',
      verdict_at: 4,
      red_retries: 2,
      sibling_group: 'group',
      pull_request: '[]',
      created_by_agent_id: agent.id,
      created_at: 1_700_000_000_001,
      updated_at: 1_700_000_000_002,
    });
    const bare = await attempt();
    const none = { latest_session_id: null, latest_session_executor: null, last_failure_line: null };
    const [first, second] = [1, 2].map((number) => ({ ...none, key: `${garden.project.key}-1.${number}` }));
    const { find } = store.reads.attempts;
    const changed = {
      host_id: 'host-2',
      removal: 'requested',
      run_status: 'running',
      outside: '{}',
      verdict: 'green',
      verdict_at: 8,
      red_retries: 1,
      archived_at: 9,
      merged_at: 10,
      pull_request: '[1]',
      updated_at: 7,
    } as const;

    expect(await find(everything, full.id)).toEqual({ ...full, ...first, state: 'failed' });
    expect(await find(everything, bare.id)).toEqual({ ...bare, ...second, state: 'queued' });
    const fixed = { ...anAttempt(item, user, { branch: 'another', created_at: 3 }), id: bare.id };
    await store.transaction((tx) => tx.attempts.update({ ...fixed, ...changed }));

    expect(await find(everything, bare.id)).toEqual({ ...bare, ...changed, ...second, state: 'merged' });
    expect(await find(everything, full.id)).toEqual({ ...full, ...first, state: 'failed' });
  });

  it('[11.2, B-ATTEMPTS-2] lists the attempts at an item newest first, those made at once by id, page by page, with their latest session', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, everything, attempt, session } = await settleBoard(store);
    const other = garden.anItem();
    await store.transaction((tx) => tx.workItems.insert(other));
    const made: Attempt[] = [];
    for (const created_at of [2, 3, 3, 3, 1]) made.push(await attempt({ created_at }));
    await attempt({ created_at: 9 }, other);
    const [second, first, third, fourth, last] = made.map(({ id }) => id);
    const shown = await session(made[1] as Attempt, { created_at: 2, executor: 'shown' });
    await session(made[1] as Attempt, { created_at: 1 });
    const page = async (after: Attempt | null, limit: number) =>
      (await store.reads.attempts.ofItem(everything, item.id, { after, limit })).map(({ id }) => id);

    expect(await page(null, 9)).toEqual([first, third, fourth, second, last]);
    expect(await page(null, 2)).toEqual([first, third]);
    expect(await page(made[2] as Attempt, 9)).toEqual([fourth, second, last]);
    expect(await page(made[4] as Attempt, 9)).toEqual([]);
    expect(await store.reads.attempts.ofItem(everything, item.id, { after: null, limit: 2 })).toMatchObject([
      { latest_session_id: shown.id, latest_session_executor: 'shown' },
      { latest_session_id: null, latest_session_executor: null },
    ]);
  });

  it('[2.2] shows no attempt, session or question outside of the caller’s reach', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, only, elsewhere, attempt, session } = await settleBoard(store);
    const made = await attempt();
    const { id } = await session(made);
    const { find, ofItem, session: findSession } = store.reads.attempts;

    expect(await findSession(only(garden.project), id)).toMatchObject({ session: { id }, attempt: made });
    expect(await ofItem(only(garden.project), item.id, { after: null, limit: 9 })).toHaveLength(1);
    for (const within of elsewhere) {
      expect(await find(within, made.id)).toBeNull();
      expect(await findSession(within, id)).toBeNull();
      expect(await ofItem(within, item.id, { after: null, limit: 9 })).toEqual([]);
    }
    expect(await find(only(garden.project), anId())).toBeNull();
    expect(await findSession(only(garden.project), anId())).toBeNull();
  });

  it('[11.1] keeps the changes of an attempt to each repository, in the order in which they were linked', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, garden, user } = await settleBoard(store);
    const [shed, barn] = [aRepo(garden.project, { setup_script: 'npm ci' }), aRepo(garden.project, { name: 'barn' })];
    const [made, other] = [anAttempt(item, user), anAttempt(item, user)];
    const repos = [inRepo(made, barn), inRepo(made, shed, { target_branch: 'next' })] as const;
    await store.transaction(async (tx) => {
      for (const repo of [shed, barn]) await tx.projects.insertRepo(repo);
      await tx.attempts.insert(made, repos);
      await tx.attempts.insert(other, [inRepo(other, shed)]);
    });
    const done = {
      base_commit: 'a1',
      head_commit: 'b2',
      commits: 3,
      files: '[]',
      patch: '+🌱',
      is_patch_cut: true,
      is_set_up: true,
    };

    await store.transaction((tx) => tx.attempts.updateRepo({ ...repos[1], ...done, target_branch: 'stays' }));

    expect(await store.reads.attempts.repos(made)).toEqual([
      { ...repos[1], ...done, repo_name: 'shed', repo_path: shed.path, setup_script: 'npm ci' },
      { ...repos[0], repo_name: 'barn', repo_path: barn.path, setup_script: null },
    ]);
    expect(await store.reads.attempts.repos(other)).toMatchObject([
      { head_commit: null, is_patch_cut: false, is_set_up: false },
    ]);
  });

  it('[4.3] changes the target branch and the set-up script of a repository of its project only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, workspace_id, foreign } = await settleBoard(store);
    const [repo, other] = [aRepo(garden.project, { setup_script: 'make' }), aRepo(garden.project)];
    await store.transaction(async (tx) => {
      for (const made of [repo, other]) await tx.projects.insertRepo(made);
    });
    const update = (fields: Partial<typeof repo>) =>
      store.transaction((tx) => tx.projects.updateRepo({ ...repo, target_branch: 'next', name: 'stays', ...fields }));
    const repos = () => store.reads.projects.repos(workspace_id, garden.project.id);

    await update({ project_id: kitchen.project.id, setup_script: 'rm' });
    expect(await repos()).toEqual([repo, other]);
    await update({ setup_script: 'make all' });
    expect(await repos()).toEqual([{ ...repo, target_branch: 'next', setup_script: 'make all' }, other]);
    await update({ setup_script: null });

    expect(await repos()).toEqual([{ ...repo, target_branch: 'next', setup_script: null }, other]);
    expect(await store.reads.projects.repo(workspace_id, other.id)).toEqual(other);
    expect(await store.reads.projects.repo(foreign.workspace_id, other.id)).toBeNull();
  });

  it('[11.3] finds attempts whose folders are to be removed from a machine', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt } = await settleBoard(store);
    const asked = await attempt({ host_id: 'host-1', removal: 'requested' });
    const begun = await attempt({ host_id: 'host-1', removal: 'removing' });
    await attempt({ host_id: 'host-1', removal: 'refused' });
    await attempt({ host_id: 'host-1' });
    await attempt({ host_id: 'host-2', removal: 'requested' });
    const { removals } = store.reads.attempts;

    expect(await removals('host-1')).toEqual([asked, begun]);
  });

  it('[11.3] knows the folders of attempts that were deleted, machine by machine, until they are dropped', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, attempt } = await settleBoard(store);
    const repo = { repo_name: 'shed', repo_path: '/repos/shed', base_commit: null };
    const left = (at: number, made: Attempt) => ({
      attempt_id: made.id,
      host_id: `host-${at}`,
      branch: made.branch,
      repos: [repo, { ...repo, repo_path: '/other/shed', base_commit: 'a1' }],
    });
    const [one, two, elsewhere] = [left(1, await attempt()), left(1, await attempt()), left(2, await attempt())];
    const { leftovers } = store.reads.attempts;

    await store.transaction(async (tx) => {
      for (const folders of [two, one, elsewhere]) await tx.attempts.insertLeftover(folders);
      await tx.workItems.delete(item.workspace_id, item.id);
    });

    expect(await leftovers('host-1')).toEqual([one, two]);
    await store.transaction((tx) => tx.attempts.dropLeftover(one));
    expect(await leftovers('host-1')).toEqual([two]);
    expect(await leftovers('host-2')).toEqual([elsewhere]);
    expect(await leftovers('host-3')).toEqual([]);
  });

  it('[5.4] deletes an attempt with its item, and its sessions and prompts; its runs stay', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { item, everything, attempt, session, enqueue } = await settleBoard(store);
    const made = await attempt();
    const [its] = [await session(made)];
    const { run } = await enqueue(its, { status: 'completed' });

    await store.transaction((tx) => tx.workItems.delete(item.workspace_id, item.id));

    const { reads } = store;
    expect(await reads.attempts.find(everything, made.id)).toBeNull();
    expect(await reads.attempts.sessions(made)).toEqual([]);
    expect(await reads.queue.find(run)).toBeNull();
    expect(await reads.attempts.runs(made, 9)).toEqual([run]);
  });

  it('[5.8] refuses an attempt at an unknown item, and a session of an unknown attempt', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user } = await settleBoard(store);
    const made = anAttempt(garden.anItem(), user);

    await expect(store.transaction((tx) => tx.attempts.insert(made, []))).rejects.toMatchObject({ code: 'conflict' });
    await expect(store.transaction((tx) => tx.attempts.insertSession(aSession(made)))).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('[11.7] tells when the agents of an attempt were at work and what they cost, the newest run first', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue, foreign } = await settleBoard(store);
    const [made, other] = [await attempt(), await attempt()];
    const itsSession = await session(made);
    const usage = '{"cost_usd":0.5}';
    await enqueue(itsSession, { status: 'completed', usage, ended_at: 9 }, { spawned_at: 4 });
    await enqueue(itsSession);
    await enqueue(await session(other), {}, { spawned_at: 7 });
    const { runTimes } = store.reads.attempts;

    const all = await runTimes(made, 10);

    expect(all).toEqual([
      { usage: null, ended_at: null, spawned_at: null },
      { usage, ended_at: 9, spawned_at: 4 },
    ]);
    expect(await runTimes(made, 1)).toEqual(all.slice(0, 1));
    expect(await runTimes({ ...made, workspace_id: foreign.workspace_id }, 10)).toEqual([]);
  });
}
