import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aRunner } from './testing/a-runner.ts';

const WAIT = { timeout: 60_000, interval: 50 };

/** The first run writes a file of nine lines; the second renames it, adds two lines above, and rewrites the last one. */
const AGENT = `cat >/dev/null
if [ -f b.txt ]; then
  { echo zero; echo half; head -n 8 b.txt; echo something else altogether; } > 'bär c.txt'; rm b.txt
else
  for n in one two three four five six seven eight nine; do echo "the line $n"; done > b.txt
fi`;

describe.concurrent('[L-REVIEW] comments on lines', () => {
  it('[L-SHIP] are where their lines are as soon as the attempt is rebased', async () => {
    const lines = 'one two three four five six seven eight nine';
    const write = `for n in ${lines}; do echo "the line $n"; done > b.txt`;
    await using runner = await aRunner({ agent: `cat >/dev/null; { ${write}; }; echo mine >> a.txt` });
    const attempt_id = await runner.begin();
    await vi.waitFor(
      async () => expect(await runner.attempt(attempt_id)).toMatchObject({ run: { status: 'completed' } }),
      WAIT,
    );
    for (const fields of [
      { path: 'a.txt', line: 2 },
      { path: 'a.txt', line: 1, side: 'old' },
      { path: 'b.txt', line: 3 },
    ])
      await runner.ask('add_review_comment', { attempt_id, text: 'Why?', ...fields });
    writeFileSync(join(runner.repo, 'a.txt'), 'zero\nhalf\none\n');
    runner.git('-c', 'user.name=Ana', '-c', 'user.email=a@b', 'commit', '-qam', 'two lines above');

    expect(await runner.ask('rebase_attempt', { attempt_id })).toMatchObject({ status: 'merged' });

    const { comments, workspace_branch } = await runner.ask('get_attempt', { attempt_id, include: ['comments'] });
    expect(runner.git('show', `${String(workspace_branch)}:a.txt`).split('\n')[3]).toBe('mine');
    expect(comments).toMatchObject([
      { path: 'a.txt', line: 4, line_text: 'mine', is_outdated: false },
      { path: 'a.txt', line: 3, line_text: 'one', is_outdated: false },
      { path: 'b.txt', line: 3, line_text: 'the line three', is_outdated: false },
    ]);
    expect(runner.errors).toEqual([]);
  });

  it('are found again after the next run: on the moved line, in the renamed file, or outdated', async () => {
    await using runner = await aRunner({ agent: AGENT });
    const attempt_id = await runner.begin();
    const ended = (runs: number): Promise<void> =>
      vi.waitFor(async () => {
        expect(await runner.attempt(attempt_id)).toMatchObject({ run: { status: 'completed' }, queue: [] });
        expect((await runner.feed(attempt_id)).match(/Committed to/g)).toHaveLength(runs);
      }, WAIT);
    await ended(1);
    const comment = (line: number) =>
      runner.ask('add_review_comment', { attempt_id, path: 'b.txt', line, text: `About ${line}.` });
    for (const line of [3, 9]) await comment(line);
    const before = (await runner.attempt(attempt_id)).repos as { head_commit: string }[];

    await runner.ask('send_review', { attempt_id });
    await ended(2);

    const { comments } = await runner.ask('get_attempt', { attempt_id, include: ['comments'] });
    const shared = { path: 'bär c.txt', status: 'sent', commit: before[0]?.head_commit };
    expect(comments).toMatchObject([
      { ...shared, number: 1, line: 5, line_text: 'the line three', is_outdated: false },
      { ...shared, number: 2, line: 11, line_text: 'the line nine', is_outdated: true },
    ]);
    const { workspace_branch } = await runner.attempt(attempt_id);
    expect(runner.git('show', `${String(workspace_branch)}:bär c.txt`).split('\n')[4]).toBe('the line three');
    expect(runner.errors).toEqual([]);
  });
});
