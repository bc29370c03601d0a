import { expect, it } from 'vitest';
import type { RunId, StepId } from '#domain/ids';
import type { FeedEntry, Run, Step } from '#domain/run';
import type { Store, Transaction } from '#store/store';
import { anId, type OpenFixture } from './fixture.ts';
import { aRun, aStep, settleTeams } from './tracker-fixture.ts';

const ALL = { after: 0, limit: 1_000 };

const anEntry = (run: Run, fields: Partial<FeedEntry> = {}): Omit<FeedEntry, 'seq'> => ({
  execution_id: run.id,
  kind: 'message',
  text: 'Hello',
  at: 1,
  ...fields,
});

async function twoRuns(store: Store): Promise<readonly [Run, Run]> {
  const { garden, user } = await settleTeams(store);
  const runs = [aRun(garden.project, user), aRun(garden.project, user)] as const;
  await store.transaction(async (tx) => {
    for (const run of runs) await tx.runs.insert(run);
  });
  return runs;
}

async function nextStep(tx: Transaction, run: Run, fields: Partial<Step> = {}): Promise<Step> {
  const found = await tx.runs.seen({ workspace_id: run.workspace_id, sees: () => true }, run.id);
  const step = { ...aStep(run, fields), seq: (found?.step_count ?? 0) + 1 };
  await tx.runs.insertStep(step);
  return step;
}

const insertStep = (store: Store, run: Run, fields: Partial<Step> = {}): Promise<Step> =>
  store.transaction((tx) => nextStep(tx, run, fields));

/** Steps and feed entries, which are numbered within their run. */
export function describeSteps(open: OpenFixture): void {
  it('[9.3] numbers the steps of each run from 1 and keeps every field of them', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [run, other] = await twoRuns(store);
    const full = aStep(run, {
      status: 'skipped',
      message: 'Nothing to do ✓',
      source: 'plan',
      started_at: 1_700_000_000_001,
      updated_at: 1_700_000_000_002,
      ended_at: 1_700_000_000_003,
    });
    const { step, steps } = store.reads.runs;

    const made = await store.transaction(async (tx) => {
      const first = await nextStep(tx, run, full);
      return [first, await nextStep(tx, other), await nextStep(tx, run)] as const;
    });

    expect(made.map(({ seq }) => seq)).toEqual([1, 1, 2]);
    expect(made[0]).toEqual({ ...full, seq: 1 });
    expect(await store.reads.runs.seen({ ...run, sees: () => true }, run.id)).toMatchObject({ step_count: 2 });
    expect(await steps(run, ALL)).toEqual([made[0], made[2]]);
    expect(await step(run, full.id)).toEqual(made[0]);
    expect(await step(other, full.id)).toBeNull();
    expect(await step(run, anId<StepId>())).toBeNull();
  });

  it('[9.4] pages through steps in the order of their numbers', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [run, other] = await twoRuns(store);
    for (let i = 0; i < 12; i++) await insertStep(store, i % 4 === 3 ? other : run);
    const seqs = async (after: number, limit: number) =>
      (await store.reads.runs.steps(run, { after, limit })).map(({ seq }) => seq);

    expect(await seqs(0, 4)).toEqual([1, 2, 3, 4]);
    expect(await seqs(4, 4)).toEqual([5, 6, 7, 8]);
    expect(await seqs(8, 4)).toEqual([9]);
  });

  it('[9.1] writes name, status, message and times of a step, and nothing else', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [run, other] = await twoRuns(store);
    const [before, beside] = [await insertStep(store, run), await insertStep(store, run)];
    const times = { started_at: 2, updated_at: 3, ended_at: 4 };
    const reported = { name: 'Another', status: 'failed', message: 'It broke.', ...times } as const;
    const fixed = { seq: 9, source: 'tool' } as const;
    const update = (fields: Partial<Step>) =>
      store.transaction((tx) => tx.runs.updateStep({ ...before, ...fixed, ...reported, ...fields }));

    await update({ execution_id: other.id });
    expect(await store.reads.runs.step(run, before.id)).toEqual(before);
    await update({});

    expect(await store.reads.runs.steps(run, ALL)).toEqual([{ ...before, ...reported }, beside]);
  });

  it('[9.4] finds the steps of a run that have not ended', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [run, other] = await twoRuns(store);
    const made = [
      await insertStep(store, run),
      await insertStep(store, run, { status: 'completed', ended_at: 5 }),
      await insertStep(store, run),
    ];
    await insertStep(store, other);

    expect(await store.transaction((tx) => tx.runs.openSteps(run))).toEqual([made[0], made[2]]);
  });

  it('[9.3] numbers the entries of each feed from 1, keeps every field of them and pages through them', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [run, other] = await twoRuns(store);
    const full = anEntry(run, { kind: 'tool_call', text: 'add_task {"title":"👋"}', at: 1_700_000_000_001 });
    const { feed } = store.reads.runs;

    const made = await store.transaction(async (tx) => {
      const first = await tx.runs.insertEntry(full);
      await tx.runs.insertEntry(anEntry(other));
      return [first, await tx.runs.insertEntry(anEntry(run)), await tx.runs.insertEntry(anEntry(run))];
    });

    expect(made.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(made[0]).toEqual({ ...full, seq: 1 });
    expect(await feed(run, { after: 0, limit: 2 })).toEqual(made.slice(0, 2));
    expect(await feed(run, { after: 2, limit: 2 })).toEqual(made.slice(2));
    expect(await feed(other, ALL)).toHaveLength(1);
  });

  it('[9.3] leaves no gap and no number twice while several write at once and some fail', async () => {
    await using fixture = await open();
    const { store, beside } = fixture;
    await using other = 'gap' in beside ? null : await beside();
    const runs = await twoRuns(store);
    const write = (at: Store, i: number) =>
      at.transaction(async (tx) => {
        const [run, beside_it] = i % 2 === 0 ? runs : [runs[1], runs[0]];
        await nextStep(tx, run);
        await tx.runs.insertEntry(anEntry(beside_it));
        if (i % 10 === 9) throw new Error('changed my mind');
      });

    await Promise.allSettled(Array.from({ length: 100 }, (_, i) => write(i % 3 === 0 ? (other ?? store) : store, i)));

    const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
    const { steps, feed } = store.reads.runs;
    for (const [run, kept] of [
      [runs[0], { steps: 50, entries: 40 }],
      [runs[1], { steps: 40, entries: 50 }],
    ] as const) {
      expect((await steps(run, ALL)).map(({ seq }) => seq)).toEqual(numbers(kept.steps));
      expect((await feed(run, ALL)).map(({ seq }) => seq)).toEqual(numbers(kept.entries));
    }
  });

  it('[5.8] refuses steps and entries of a run that does not exist, a step twice, and two of one number', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [run] = await twoRuns(store);
    const nobody = { ...run, id: anId<RunId>() };
    const step = await insertStep(store, run);

    const attempts = [
      insertStep(store, nobody),
      store.transaction((tx) => tx.runs.insertEntry(anEntry(nobody))),
      insertStep(store, run, { id: step.id }),
      store.transaction((tx) => tx.runs.insertStep({ ...aStep(run), seq: step.seq })),
    ];

    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.reads.runs.steps(run, ALL)).toEqual([step]);
  });
}
