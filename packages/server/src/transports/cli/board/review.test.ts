import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';

const PATCH = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-old line\n+new line\n same\n';

async function aPlace() {
  const world = await createWorld();
  const board = await aBoard(world);
  const worker = await aWorker(world);
  await board.start();
  const run = await worker.take();
  const files = JSON.stringify([{ path: 'a.ts', change: 'modified', insertions: 1, deletions: 1 }]);
  const commits = { base_commit: 'a'.repeat(40), head_commit: 'b'.repeat(40) };
  const repos = run.repos.map((repo) => ({ ...repo, ...commits, files, patch: `diff --git a/a.ts b/a.ts\n${PATCH}` }));
  await worker.finish(run, { status: 'completed', reason: null }, repos);
  return { world, worker, ...createBoardTerminal(world) };
}

describe('errand review', () => {
  it('notes comments, lists them, sends them as one follow-up, and resolves one by its number', async () => {
    const { worker, type } = await aPlace();

    const noted = await type('review', 'SHO-1', 'a.ts:1', 'Why new?\nThe old one worked.');
    const listed = await type('review', 'SHO-1.1');
    const sent = await type('review', 'SHO-1', 'a.ts:1', 'Keep it.', '--side', 'old', '--send');
    const resolved = await type('review', 'SHO-1', '--resolve', '#1');
    const after = await type('review', 'SHO-1');

    expect(noted.out).toBe('Noted. Send it to the agent: errand review SHO-1 --send\n');
    expect(listed.out).toBe(
      '#1  a.ts:1  draft\n    Why new?\n    The old one worked.\n\nSend it: errand review SHO-1.1 --send\n',
    );
    expect(sent.out).toBe('Sent 2 comments. The agent goes on. Watch it: errand watch SHO-1\n');
    expect((await worker.take()).entry.prompt).toMatch(/a\.ts:1[\s\S]*Why new\?[\s\S]*Keep it\./);
    expect(resolved.out).toBe('#1 is resolved.\n');
    expect(after.out).toContain('#1  a.ts:1  resolved\n');
    expect(after.out).toContain('#2  a.ts:1 (old side)  sent\n    Keep it.\n');
  });

  it('opens a comment again', async () => {
    const { type } = await aPlace();
    await type('review', 'SHO-1', 'a.ts:1', 'Why?', '--send');
    await type('review', 'SHO-1', '--resolve', '1');

    expect((await type('review', 'SHO-1', '--reopen', '1')).out).toBe('#1 is open again.\n');
  });

  it('says how to begin a review', async () => {
    const { type } = await aPlace();

    expect((await type('review', 'SHO-1')).out).toBe(
      'No comments on SHO-1.1 yet. Add one: errand review SHO-1.1 FILE:LINE "what to change"\n',
    );
  });

  it.each([
    [['a.ts', 'Why?'], '"a.ts" is no place'],
    [['a.ts:1'], 'Give the place and the comment'],
    [['--resolve', '1', '--send'], 'each go alone'],
    [['--resolve', '7'], 'There is no comment #7 here.'],
  ])('refuses %j', async (words, message) => {
    const { type } = await aPlace();

    await expect(type('review', 'SHO-1', ...words)).rejects.toThrow(message);
  });
});
