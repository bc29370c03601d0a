import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '#domain/attempt';
import type { RepoId, StepId } from '#domain/ids';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';

const patchFor = (path: string, line: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${line}\n`;

const file = (path: string, lines: number): ChangedFile => ({
  path,
  change: 'modified',
  insertions: lines,
  deletions: 1,
});

/** An attempt whose run has changed these files, in each of the repositories. */
async function aChange(world: World, changes: readonly { files: readonly ChangedFile[]; patch: string }[]) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const repos = [{ repo_id: board.repo_id }];
  for (let n = 1; n < changes.length; n++) {
    const { repo_id } = await world.ask('admin_add_repo', {
      project_id: board.project_id,
      path: `/repos/repo-${n}`,
      target_branch: 'main',
    });
    repos.push({ repo_id });
  }
  const { attempt_id } = await board.start({ repos });
  const run = await worker.take();
  const ended = changes.map(({ files, patch }, n) => ({
    attempt_id: run.attempt.id,
    repo_id: repos[n]?.repo_id as RepoId,
    target_branch: 'main',
    base_commit: 'a'.repeat(40),
    head_commit: 'b'.repeat(40),
    commits: n + 1,
    files: JSON.stringify(files),
    patch,
    is_patch_cut: n === 1,
    is_set_up: false,
  }));
  return {
    ...board,
    worker,
    run,
    attempt_id,
    end: () => worker.finish(run, { status: 'completed', reason: null, summary: 'Done.' }, ended),
  };
}

describe('get_attempt', () => {
  it('counts the changes, and has files and diff on request', async () => {
    await using world = await createWorld();
    const patch = patchFor('a.ts', 'new') + patchFor('b.ts', 'newer');
    const { attempt_id, repo_id, end } = await aChange(world, [
      { files: [file('a.ts', 2), { ...file('b.ts', 0), insertions: null }], patch },
    ]);
    await end();

    const short = await world.ask('get_attempt', { attempt_id });
    const more = await world.ask('get_attempt', { attempt_id, include: ['diff', 'files'] });
    const one = await world.ask('get_attempt', { attempt_id, path: 'b.ts' });

    expect(short).toMatchObject({
      changes: { files: 2, insertions: 2, deletions: 2, commits: 1 },
      repos: [{ base_commit: 'a'.repeat(40), head_commit: 'b'.repeat(40) }],
      run: { status: 'completed', summary: 'Done.' },
      task: { status: 'inreview' },
    });
    expect(short).not.toHaveProperty('diff');
    expect(short).not.toHaveProperty('files');
    expect(short).not.toHaveProperty('truncated');
    expect(more.diff).toEqual({ text: patch, is_cut: false, is_exact: true });
    expect(more.files).toMatchObject([
      { repo_id, path: 'a.ts', insertions: 2 },
      { path: 'b.ts', insertions: null },
    ]);
    expect(one.diff).toEqual({ text: patchFor('b.ts', 'newer'), is_cut: false, is_exact: true });
  });

  it('names each repository in the diff of several, and says when a patch was cut', async () => {
    await using world = await createWorld();
    const { attempt_id, end } = await aChange(world, [
      { files: [], patch: patchFor('a.ts', 'x') },
      { files: [], patch: patchFor('a.ts', 'y') },
    ]);
    await end();

    const { diff } = await world.ask('get_attempt', { attempt_id, include: ['diff'] });

    expect(diff).toEqual({
      text: `# shop\n${patchFor('a.ts', 'x')}\n# repo-1\n${patchFor('a.ts', 'y')}`,
      is_cut: true,
      is_exact: true,
    });
  });

  it('says when the diff contains invisible characters, which are left out', async () => {
    await using world = await createWorld();
    const { attempt_id, end } = await aChange(world, [{ files: [], patch: patchFor('a.ts', 'x\u200By') }]);
    await end();

    const { diff } = await world.ask('get_attempt', { attempt_id, include: ['diff'] });

    expect(diff).toEqual({ text: patchFor('a.ts', 'xy'), is_cut: false, is_exact: false });
  });

  it('returns a long diff in parts', async () => {
    await using world = await createWorld();
    const patch = patchFor('a.ts', '😀'.repeat(3_000));
    const { attempt_id, end } = await aChange(world, [{ files: [], patch }]);
    await end();
    const parts: string[] = [];

    for (let diff_offset: number | undefined = 0; diff_offset !== undefined; ) {
      const { diff } = await world.ask('get_attempt', {
        attempt_id,
        include: ['diff'],
        diff_offset,
        diff_limit: 1_001,
      });
      const part = diff as { text: string; next_offset?: number };
      parts.push(part.text);
      diff_offset = part.next_offset;
    }

    expect(parts.length).toBeGreaterThan(5);
    expect(parts.join('')).toBe(patch);
  });

  it('says what the run is doing, and how far it is', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, run } = await aChange(world, [{ files: [], patch: '' }]);
    const step = (n: number, status: 'running' | 'completed') =>
      worker.log.write(run, [
        {
          type: 'step',
          step_id: `20000000-0000-7000-8000-00000000000${n}` as StepId,
          name: `Step ${n}`,
          status,
          message: 'Going.',
          source: 'plan',
        },
      ]);
    await step(1, 'completed');
    await step(2, 'running');
    await worker.log.write(run, [{ type: 'usage', usage: { input_tokens: 5, cost_usd: 0.1 } }]);

    const { run: now } = await world.ask('get_attempt', { attempt_id });

    expect(now).toMatchObject({
      status: 'running',
      current_step: { name: 'Step 2', status: 'running', message: 'Going.' },
      steps_done: 1,
      steps_total: 2,
      usage: { input_tokens: 5, cost_usd: 0.1 },
    });
  });

  it('stays short in every case, says what it shortened, and is whole on request', async () => {
    await using world = await createWorld();
    const files = Array.from({ length: 300 }, (_, n) => file(`folder/${n}/${'x'.repeat(50)}`, 1));
    const changes = Array.from({ length: 12 }, () => ({ files, patch: '"'.repeat(1_000) }));
    const { attempt_id, worker, run, end, task_id } = await aChange(world, changes);
    await world.ask('update_task', { task_id, title: '"'.repeat(255) });
    await worker.log.write(run, [
      {
        type: 'step',
        step_id: '20000000-0000-7000-8000-000000000001' as StepId,
        name: '"'.repeat(200),
        status: 'running',
        message: '"'.repeat(2_000),
        source: 'agent',
      },
    ]);
    for (let n = 0; n < 5; n++) {
      await worker.log.ask(run, {
        kind: 'permission',
        question: '"'.repeat(300),
        details: '"'.repeat(5_000),
        options: JSON.stringify([{ option: 'yes', name: 'Yes', kind: 'allow_once' }]),
      });
      await world.ask('follow_up', { attempt_id, action: 'queue', prompt: '"'.repeat(5_000) });
    }

    const running = await world.ask('get_attempt', { attempt_id });
    const whole = await world.ask('get_attempt', { attempt_id, include: ['whole', 'files'] });
    await worker.log.write(run, []);
    await end();
    const ended = await world.ask('get_attempt', { attempt_id });

    for (const answer of [running, ended]) expect(JSON.stringify(answer).length).toBeLessThanOrEqual(4_000);
    expect(running).toMatchObject({ pending_approvals: 5, queued: 5, changes: { files: 0 } });
    expect(running.approvals).not.toEqual([]);
    expect(running.truncated).toEqual(expect.arrayContaining(['task', 'approvals', 'repos']));
    expect(whole).not.toHaveProperty('truncated');
    expect(whole.approvals).toHaveLength(5);
    expect(whole.repos).toHaveLength(12);
    expect((whole.approvals as { details: string }[])[0]?.details).toHaveLength(5_000);
  });
});
