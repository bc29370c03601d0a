import { expect, it } from 'vitest';
import type { AgentId, AttemptId, RunId, SessionId, UserId } from '#domain/ids';
import type { Run } from '#domain/run';
import type { Store } from '#store/store';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent, aRun, settleTeams } from './tracker-fixture.ts';

const seenIn = (store: Store, { workspace_id }: Pick<Run, 'workspace_id'>, id: RunId) =>
  store.reads.runs.seen({ workspace_id, sees: () => true }, id);

/** Runs of agents, and what may be written about them. */
export function describeRuns(open: OpenFixture): void {
  it('[9.1] keeps every field of a run, with and without a value', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user } = await settleTeams(store);
    const agent = anAgent(user);
    const full = aRun(garden.project, user, {
      kind: 'agent',
      name: 'Fix the login',
      status: 'failed',
      reason: 'The tests fail.',
      work_item_id: 'of another tracker',
      attempt_id: anId<AttemptId>(),
      session_id: anId<SessionId>(),
      agent_id: agent.id,
      agent_session_id: 'session-1 👋',
      worktree_path: '/trees/login',
      branch: 'fix/login',
      client: 'agent/1.2',
      usage: '{"input_tokens":3}',
      summary: 'Half done.',
      started_at: 1_700_000_000_001,
      seen_at: 1_700_000_000_002,
      liveness: 'stalled',
      ended_at: 1_700_000_000_003,
    });
    const bare = aRun(garden.project, user, { project_id: null });

    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const run of [full, bare]) await tx.runs.insert(run);
      expect(await tx.runs.seen({ ...full, sees: () => true }, full.id)).toEqual(full);
    });

    expect(await seenIn(store, full, full.id)).toEqual(full);
    expect(await seenIn(store, bare, bare.id)).toEqual(bare);
  });

  it('[9.2] lists the finished work sessions of the given projects, newest first, in parts', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, user } = await settleTeams(store);
    const done = { status: 'completed', summary: 'Done.', ended_at: 2 } as const;
    const reports = [aRun(garden.project, user, done), aRun(garden.project, user, done)];
    const others = [
      aRun(garden.project, user),
      aRun(garden.project, user, { ...done, kind: 'agent' }),
      aRun(garden.project, user, { ...done, summary: null }),
      aRun(garden.project, user, { ...done, status: 'failed' }),
      aRun(kitchen.project, user, done),
    ];
    await store.transaction(async (tx) => {
      for (const run of [...reports, ...others]) await tx.runs.insert(run);
    });
    const within = { workspace_id: garden.project.workspace_id, project_ids: [garden.project.id] };
    const [newest, oldest] = reports.toSorted((a, b) => (a.id < b.id ? 1 : -1));

    expect(await store.reads.runs.reports(within, { before: null, limit: 10 })).toEqual([newest, oldest]);
    expect(await store.reads.runs.reports(within, { before: newest?.id ?? null, limit: 10 })).toEqual([oldest]);
    expect(await store.reads.runs.reports(within, { before: null, limit: 1 })).toEqual([newest]);
  });

  it('[9.2] shows a run in its workspace to a caller who may see it, and to no other', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, foreign } = await settleTeams(store);
    const run = aRun(garden.project, user);
    await store.transaction((tx) => tx.runs.insert(run));
    const { seen } = store.reads.runs;

    expect(await seen({ ...run, sees: (run) => run.user_id === user.id }, run.id)).toEqual(run);
    expect(await seen({ ...run, sees: (run) => run.user_id !== user.id }, run.id)).toBeNull();
    expect(await seenIn(store, foreign, run.id)).toBeNull();
    expect(await seenIn(store, run, anId<RunId>())).toBeNull();
  });

  it('[9.1] writes the fields that a report may change, of this run only, and leaves the rest', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, kitchen, user, second, foreign } = await settleTeams(store);
    const agent = anAgent(user);
    const [before, other] = [aRun(garden.project, user), aRun(garden.project, user)];
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const run of [before, other]) await tx.runs.insert(run);
    });
    const reported = {
      name: 'Fix the login',
      status: 'completed',
      reason: 'said so',
      agent_id: agent.id,
      agent_session_id: 'session-1',
      worktree_path: '/trees/login',
      branch: 'fix/login',
      client: 'agent/1.2',
      usage: '{}',
      summary: 'Done.',
      seen_at: 7,
      liveness: 'quiet',
      ended_at: 8,
    } as const;
    const fixed = {
      kind: 'script',
      user_id: second.id,
      project_id: kitchen.project.id,
      work_item_id: 'another',
      attempt_id: anId<AttemptId>(),
      session_id: anId<SessionId>(),
      started_at: 9,
    } as const;
    const update = (fields: Partial<Run>) =>
      store.transaction((tx) => tx.runs.update({ ...before, ...fixed, ...reported, ...fields }));

    await update({ workspace_id: foreign.workspace_id });
    await update({ id: anId<RunId>() });
    expect(await seenIn(store, before, before.id)).toEqual(before);
    await update({});

    expect(await seenIn(store, before, before.id)).toEqual({ ...before, ...reported });
    expect(await seenIn(store, before, other.id)).toEqual(other);
  });

  it('[9.5] finds silent running runs that are not marked so, at most as many as asked for', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, foreign } = await settleTeams(store);
    const at = (name: string, fields: Partial<Run>) => aRun(garden.project, user, { name, ...fields });
    await store.transaction(async (tx) => {
      for (const run of [
        at('silent', { seen_at: 99 }),
        at('marked quiet', { seen_at: 50, liveness: 'quiet' }),
        at('marked stalled', { seen_at: 10, liveness: 'stalled' }),
        at('heard of', { seen_at: 100 }),
        at('queued', { seen_at: 99, status: 'queued' }),
        at('over', { seen_at: 99, status: 'interrupted', ended_at: 99 }),
        at('elsewhere', {
          workspace_id: foreign.workspace_id,
          user_id: foreign.user.id,
          project_id: null,
          seen_at: 99,
        }),
      ]) {
        await tx.runs.insert(run);
      }
    });
    const silent = async (liveness: 'quiet' | 'stalled', limit = 10) => {
      const found = await store.transaction((tx) => tx.runs.silent({ seen_before: 100, liveness, limit }));
      return found.map(({ name }) => name).toSorted();
    };

    expect(await silent('quiet')).toEqual(['elsewhere', 'silent']);
    expect(await silent('stalled')).toEqual(['elsewhere', 'marked quiet', 'silent']);
    expect(await silent('stalled', 2)).toHaveLength(2);
  });

  it('[9.5] says by its own clock whether a run is silent for so long and is not marked so', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user } = await settleTeams(store);
    const run = await store.transaction(async (tx) => {
      const made = aRun(garden.project, user, { seen_at: tx.now - 60_000 });
      await tx.runs.insert(made);
      return made;
    });
    const mark = (fields: Partial<Run>) => store.transaction((tx) => tx.runs.update({ ...run, ...fields }));
    const ask = async () => {
      const questions = ([30_000, 90_000] as const).flatMap((silent_ms) =>
        (['quiet', 'stalled'] as const).map((liveness) => ({ silent_ms, liveness })),
      );
      const outside = await Promise.all(questions.map(store.reads.runs.hasSilent));
      const inside = await store.transaction((tx) => Promise.all(questions.map(tx.runs.hasSilent)));
      expect(inside).toEqual(outside);
      return outside;
    };

    expect(await ask()).toEqual([true, true, false, false]);
    await mark({ liveness: 'quiet' });
    expect(await ask()).toEqual([false, true, false, false]);
    await mark({ liveness: 'stalled' });
    expect(await ask()).toEqual([false, false, false, false]);
    await mark({ status: 'completed', ended_at: 1 });
    expect(await ask()).toEqual([false, false, false, false]);
  });

  it.each(['user_id', 'agent_id', 'project_id', 'workspace_id'])(
    '[5.8] refuses a run of an unknown %s',
    async (name) => {
      await using fixture = await open();
      const { store } = fixture;
      const { garden, user } = await settleTeams(store);
      const run = { ...aRun(garden.project, user), [name]: anId<AgentId | UserId>() };

      const attempt = store.transaction((tx) => tx.runs.insert(run));

      await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    },
  );
}
