import { describe, expect, it } from 'vitest';
import type { AttemptId, RunId } from '#domain/ids';
import { MAX_LINE_CHARACTERS } from '#domain/review';
import { aBoard, aWorker } from '#testing/attempts';
import { createTracker } from '#testing/tracker';
import { createWorld, type World } from '#testing/world';

const PATCH = [
  'diff --git a/src/a.ts b/src/a.ts',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -10,3 +10,4 @@',
  ' before',
  '-old line',
  '+new line',
  '+another',
  ' after',
  'diff --git a/logo.png b/logo.png',
  'Binary files a/logo.png and b/logo.png differ',
  '',
].join('\n');

const FILES = ['src/a.ts', 'logo.png', 'long.ts'].map((path) => ({
  path,
  change: 'modified',
  insertions: 2,
  deletions: 1,
}));

const [BASE, HEAD] = ['a'.repeat(40), 'b'.repeat(40)];

/** An attempt with a commit in each of `count` repositories. */
async function aCommit(world: World, { count = 1, is_patch_cut = false, patch = PATCH } = {}) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const repos = [{ repo_id: board.repo_id }];
  for (let n = 1; n < count; n++) {
    const path = `/repos/repo-${n}`;
    repos.push(
      (await world.ask('admin_add_repo', { project_id: board.project_id, path, target_branch: 'main' })) as never,
    );
  }
  const { attempt_id } = await board.start({ repos: repos.map(({ repo_id }) => ({ repo_id })) });
  const run = await worker.take();
  await worker.beginSpawn(run);
  const ended = run.repos.map((repo) => ({
    ...repo,
    base_commit: BASE,
    head_commit: HEAD,
    files: JSON.stringify(FILES),
    patch,
    is_patch_cut,
  }));
  await worker.finish(run, { status: 'completed', reason: null }, ended);
  const id = attempt_id as AttemptId;
  const comment = (fields: Record<string, unknown> = {}) =>
    world.ask('add_review_comment', { attempt_id: id, path: 'src/a.ts', line: 11, text: 'Why?', ...fields });
  const comments = async () =>
    (await world.ask('get_attempt', { attempt_id: id, include: ['comments'] })).comments as Record<string, unknown>[];
  return { ...board, worker, attempt_id: id, comment, comments };
}

const promptOf = async (world: World, execution_id: unknown): Promise<string> =>
  (await world.store.reads.queue.findForWorker(execution_id as RunId))?.prompt ?? '';

describe('[L-REVIEW] add_review_comment', () => {
  it('keeps the comment with its line and the commit that has it', async () => {
    await using world = await createWorld();
    const { comment, comments, repo_id } = await aCommit(world);

    const added = await comment();
    await comment({ side: 'old', line: 11, text: 'Was right.' });
    await comment({ line: 13, text: 'On a line that stays.' });

    expect(added).toEqual({ comment_id: expect.any(String), key: 'SHO-1.1#1' });
    const shared = { repo_id, path: 'src/a.ts', status: 'draft', is_outdated: false, note: null };
    expect(await comments()).toMatchObject([
      { ...shared, ...added, number: 1, line: 11, side: 'new', line_text: 'new line', commit: HEAD, text: 'Why?' },
      { ...shared, number: 2, line: 11, side: 'old', line_text: 'old line', commit: BASE },
      { ...shared, number: 3, line: 13, line_text: 'after' },
    ]);
  });

  it('keeps the first characters of a line that is a whole file', async () => {
    await using world = await createWorld();
    const long = `${'x'.repeat(MAX_LINE_CHARACTERS - 1)}😀${'y'.repeat(500_000)}`;
    const { comment, comments } = await aCommit(world, { patch: PATCH.replace('+new line', `+${long}`) });

    await comment();

    expect(await comments()).toMatchObject([{ line: 11, line_text: 'x'.repeat(MAX_LINE_CHARACTERS - 1) }]);
  });

  it.each([
    ['a line that the diff does not show', { line: 20 }, 'line', '10–13'],
    ['a line of the other side only', { line: 13, side: 'old' }, 'line', '10–12'],
    ['a file that was not changed', { path: 'src/b.ts' }, 'path', 'src/a.ts, logo.png'],
    ['a file that is not text', { path: 'logo.png', line: 1 }, 'line', 'no lines'],
    ['a changed file whose patch is not there', { path: 'long.ts', line: 1 }, 'path', 'src/a.ts'],
  ])('refuses %s, and says what there is', async (_, fields, field, hint) => {
    await using world = await createWorld();
    const { attempt_id, comments } = await aCommit(world);

    const refused = await world.refuse('add_review_comment', {
      attempt_id,
      path: 'src/a.ts',
      line: 11,
      text: 'Why?',
      ...fields,
    });

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining(field) });
    expect(refused.hint).toContain(hint);
    expect(await comments()).toEqual([]);
  });

  it('accepts any line of a changed file whose patch was too long to be kept', async () => {
    await using world = await createWorld();
    const { comment, comments } = await aCommit(world, { is_patch_cut: true });

    await comment({ path: 'long.ts', line: 900 });

    expect(await comments()).toMatchObject([{ path: 'long.ts', line: 900, line_text: null }]);
  });

  it('requires the repository when there are several', async () => {
    await using world = await createWorld();
    const { attempt_id, comment, comments } = await aCommit(world, { count: 2 });
    const words = { attempt_id, path: 'src/a.ts', line: 11, text: 'Why?' };

    const refused = await world.refuse('add_review_comment', words);
    await comment({ repo_id: 'repo-1' });

    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('several') });
    expect(refused.hint).toContain('shop, repo-1');
    expect(await comments()).toHaveLength(1);
  });

  it('is refused before there is a commit, and when the attempt is archived', async () => {
    await using world = await createWorld();
    const { start, attempt_id } = await aCommit(world);
    const { attempt_id: fresh } = await start();
    const words = { path: 'src/a.ts', line: 11, text: 'Why?' };

    const early = await world.refuse('add_review_comment', { ...words, attempt_id: fresh });
    await world.ask('choose_attempt', { attempt_id: fresh });
    const archived = await world.refuse('add_review_comment', { ...words, attempt_id });

    expect(early).toMatchObject({ code: 'conflict', message: expect.stringContaining('no commit yet') });
    expect(archived).toMatchObject({ code: 'conflict', message: expect.stringContaining('archived') });
  });

  it('takes no more comments than an attempt may have', async () => {
    await using world = await createWorld();
    const { attempt_id, comment } = await aCommit(world);
    await comment();
    await world.store.transaction(async (tx) => {
      const { workspace_id } = world.owner;
      const [first] = await tx.reviews.ofAttempt({ id: attempt_id, workspace_id });
      for (let n = 1; n < 500 && first !== undefined; n++) {
        await tx.reviews.insert({ ...first, id: `00000000-0000-7000-9000-${String(n).padStart(12, '0')}` as never });
      }
    });

    const refused = await world.refuse('add_review_comment', {
      attempt_id,
      path: 'src/a.ts',
      line: 11,
      text: 'One more.',
    });

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('500') });
  });
});

describe('[L-REVIEW] send_review', () => {
  it('sends all comments as one follow-up, by file and line, each with its number', async () => {
    await using world = await createWorld();
    const { attempt_id, comment, comments } = await aCommit(world, { count: 2 });
    await comment({ repo_id: 'repo-1', text: 'In the other one.' });
    await comment({ repo_id: 'shop', line: 12, text: 'Second.\nIn two lines.' });
    await comment({ repo_id: 'shop', line: 11, text: 'First.' });

    const sent = await world.ask('send_review', { attempt_id, text: 'Nearly there.' });

    expect(sent).toEqual({
      attempt_id,
      follow_up_id: expect.any(String),
      comments: 3,
      execution_id: expect.any(String),
    });
    const prompt = await promptOf(world, sent.execution_id);
    expect(prompt).toMatch(/^Nearly there\.\n\nYour changes were reviewed\./);
    expect(prompt).toMatch(
      /#3 shop\/src\/a\.ts:11\n> new line\n<comment (\w+)>\nFirst\.\n<\/comment \1>\n\n#2 shop\/src\/a\.ts:12\n> another\n<comment (\w+)>\nSecond\.\nIn two lines\.\n<\/comment \2>\n\n#1 repo-1\/src\/a\.ts:11\n/,
    );
    expect(prompt).toMatch(
      /Answer each with resolve_review_comment, by its number, such as #1 \(or SHO-1\.1#1\), or say why not\.$/,
    );
    expect((await comments()).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    expect(await world.refuse('send_review', { attempt_id })).toMatchObject({ code: 'conflict' });
  });

  it('waits while a run goes on, and follows it', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, comment } = await aCommit(world);
    await comment();
    await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });
    const run = await worker.take();

    const sent = await world.ask('send_review', { attempt_id });

    expect(sent).toEqual({ attempt_id, follow_up_id: expect.any(String), comments: 1 });
    await worker.finish(run, { status: 'completed', reason: null }, []);
    expect((await worker.take()).entry.prompt).toContain('#1 src/a.ts:11');
  });

  it.each([
    ['no run goes on', false],
    ['a run goes on', true],
  ])(
    'starts no agent for one who may not run agents while %s, and joins the next run of another',
    async (_, goes_on) => {
      await using world = await createWorld();
      const { attempt_id, project_id, worker, comment, comments } = await aCommit(world);
      const { agent } = createTracker(world);
      const writer = await agent({ projects: [String(project_id)], scopes: ['board:read', 'board:write'] });
      await comment();
      if (goes_on) await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'First.' });

      const sent = await world.ask('send_review', { attempt_id }, writer);
      if (goes_on) await worker.finish(await worker.take(), { status: 'completed', reason: null }, []);
      const idle = await worker.take().catch((error: Error) => error.message);
      await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });
      const { entry } = await worker.take();

      expect(sent).toMatchObject({ comments: 1, note: expect.stringContaining('board:run') });
      expect(sent).not.toHaveProperty('execution_id');
      expect(idle).toBe('no run waits');
      expect(entry.prompt).toMatch(/#1 src\/a\.ts:11[\s\S]*Go on\.$/);
      expect(await comments()).toMatchObject([{ status: 'sent' }]);
      expect((await world.ask('get_attempt', { attempt_id })).queue).toEqual([]);
    },
  );

  it('leaves comments that do not fit into the message to the next review', async () => {
    await using world = await createWorld();
    const { attempt_id, comment } = await aCommit(world);
    for (let n = 0; n < 12; n++) await comment({ text: 'x'.repeat(9_900) });

    const first = await world.ask('send_review', { attempt_id });
    const second = await world.ask('send_review', { attempt_id });

    expect([first.comments, first.left, second.comments, second.left]).toEqual([9, 3, 3, undefined]);
    expect((await promptOf(world, first.execution_id)).length).toBeLessThanOrEqual(100_000);
  });

  it('is done once when it is repeated with its key', async () => {
    await using world = await createWorld();
    const { attempt_id, comment } = await aCommit(world);
    await comment();

    const answers = [1, 2].map(() => world.ask('send_review', { attempt_id, idempotency_key: 'once' }));

    const [first, second] = await Promise.all(answers);
    expect(second).toEqual(first);
  });
});

describe('[L-REVIEW] resolve_review_comment', () => {
  /** A sent comment, and the caller within the attempt whose run got it. */
  async function sent(world: World) {
    const place = await aCommit(world);
    await place.comment();
    await world.ask('send_review', { attempt_id: place.attempt_id });
    const run = await place.worker.take();
    const agent = await world.gateway.authenticate(run.secret);
    return { ...place, agent, run };
  }

  it.each(['#1', '1', 'SHO-1.1#1', 'sho-1.1#1'])(
    'lets the agent of the attempt resolve %s, with a note',
    async (name) => {
      await using world = await createWorld();
      const { agent, comments } = await sent(world);

      const answer = await world.ask('resolve_review_comment', { comment_id: name, note: 'Renamed it.' }, agent);

      expect(answer).toEqual({ comment_id: expect.any(String), status: 'resolved' });
      expect(await comments()).toMatchObject([{ status: 'resolved', note: 'Renamed it.' }]);
    },
  );

  it('hides drafts, and comments of other attempts, from an agent within an attempt', async () => {
    await using world = await createWorld();
    const { agent, attempt_id, comment, start, worker } = await sent(world);
    await comment({ text: 'A draft.' });
    await start();
    const other = await world.gateway.authenticate((await worker.take()).secret);

    const draft = await world.refuse('resolve_review_comment', { comment_id: '#2' }, agent);
    const unknown = await world.refuse('resolve_review_comment', { comment_id: '#7' }, agent);
    const foreign = await world.refuse('resolve_review_comment', { comment_id: 'SHO-1.1#1' }, other);
    const seen = await world.ask('get_attempt', { attempt_id, include: ['comments'] }, agent);

    expect([draft, unknown, foreign].map(({ code }) => code)).toEqual(['not_found', 'not_found', 'not_found']);
    expect(draft.message.replace('#2', '#7')).toBe(unknown.message);
    expect(seen.comments).toMatchObject([{ number: 1 }]);
  });

  it('opens a comment again, and the next review sends it once more', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, run, comments } = await sent(world);
    await world.ask('resolve_review_comment', { comment_id: 'SHO-1.1#1' });
    await worker.finish(run, { status: 'completed', reason: null }, []);

    const opened = await world.ask('resolve_review_comment', { comment_id: 'SHO-1.1#1', resolved: false });
    const again = await world.ask('resolve_review_comment', { comment_id: 'SHO-1.1#1', resolved: false });
    const { execution_id } = await world.ask('send_review', { attempt_id });

    expect([opened.status, again.status]).toEqual(['sent', 'sent']);
    expect(await promptOf(world, execution_id)).toContain('#1 src/a.ts:11 (opened again)');
    expect(await comments()).toMatchObject([{ status: 'sent' }]);
  });

  it('deletes a draft for its author alone', async () => {
    await using world = await createWorld();
    const { project_id, comment, comments } = await aCommit(world);
    const { agent } = createTracker(world);
    const writer = await agent({ projects: [String(project_id)], scopes: ['board:read', 'board:write'] });
    const { comment_id } = await comment();

    const refused = await world.refuse('resolve_review_comment', { comment_id }, writer);
    const kept = await comments();
    const answer = await world.ask('resolve_review_comment', { comment_id });

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('draft of another') });
    expect(kept).toHaveLength(1);
    expect(answer).toEqual({ comment_id, status: 'deleted' });
    expect(await comments()).toEqual([]);
  });

  it('answers a comment out of reach like one that does not exist', async () => {
    await using world = await createWorld();
    const { comment } = await aCommit(world);
    const { agent, project } = createTracker(world);
    const outsider = await agent({ projects: [await project('Other')], scopes: ['board:read', 'board:write'] });
    const { comment_id } = await comment();
    const unknown = '00000000-0000-7000-8000-00000000ffff';

    const there = await world.refuse('resolve_review_comment', { comment_id }, outsider);
    const nowhere = await world.refuse('resolve_review_comment', { comment_id: unknown }, outsider);

    expect(there.message.replace(String(comment_id), unknown)).toBe(nowhere.message);
    expect(there.code).toBe('not_found');
  });
});

describe('[L-REVIEW] comments of an attempt whose work goes on', () => {
  it('are carried by the worker that holds the run, unless another was faster', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, comment, comments } = await aCommit(world);
    await comment();
    await comment({ line: 12 });
    await world.ask('send_review', { attempt_id });
    await world.ask('resolve_review_comment', { comment_id: 'SHO-1.1#2' });
    const run = await worker.take();

    const open = await worker.openComments(run.attempt);
    const [one] = open;
    const place = { path: 'src/b.ts', line: 40, is_outdated: true };
    const moved = { ...place, id: one?.id as never, from: HEAD, to: 'c'.repeat(40) };
    await worker.noteCarried(run, [moved]);
    await worker.noteCarried(run, [{ ...moved, line: 50 }]);

    expect(open.map(({ number }) => number)).toEqual([1]);
    expect(await comments()).toMatchObject([
      { number: 1, path: 'src/b.ts', line: 40, is_outdated: true, commit: HEAD, status: 'sent' },
      { number: 2, path: 'src/a.ts', line: 12 },
    ]);
    await worker.finish(run, { status: 'completed', reason: null }, []);
    await expect(worker.noteCarried(run, [moved])).rejects.toThrow();
  });
});
