import { expect, it } from 'vitest';
import type { Check } from '#domain/check';
import type { RunId, StepId } from '#domain/ids';
import { aRepo, settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';

/** The checks of runs. */
export function describeChecks(open: OpenFixture): void {
  it('[20.1] keeps every field of a check, and finds those of the latest run that had any, for its workspace alone', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, attempt, session, enqueue } = await settleBoard(store);
    const made = await attempt();
    const repo = aRepo(garden.project);
    await store.transaction((tx) => tx.projects.insertRepo(repo));
    const conversation = await session(made);
    const [first, second] = [(await enqueue(conversation)).run, (await enqueue(conversation)).run];
    const aCheck = (execution_id: RunId, seq: number, fields: Partial<Check> = {}): Check => ({
      execution_id,
      seq,
      attempt_id: made.id,
      name: 'tests',
      repo_id: null,
      command: '["npm","test"]',
      status: 'passed',
      exit_code: 0,
      started_at: 1_700_000_000_001,
      ended_at: 1_700_000_000_002,
      output: 'ok\n',
      step_id: anId<StepId>(),
      ...fields,
    });
    const late = [
      aCheck(second.id, 1),
      aCheck(second.id, 2, { name: 'lint', repo_id: repo.id, status: 'timed_out', exit_code: null, ended_at: null }),
    ];
    await store.transaction(async (tx) => {
      for (const check of [aCheck(first.id, 1, { name: 'old' }), ...late.toReversed()]) await tx.checks.insert(check);
    });

    expect(await store.reads.checks.ofAttempt(made)).toEqual(late);
    expect(await store.reads.checks.ofAttempt({ ...made, workspace_id: anId() })).toEqual([]);
  });
}
