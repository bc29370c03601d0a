import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '#domain/attempt';
import { aBoard, aWorker } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';

const patchOf = (path: string, text: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`;

const file = (path: string): ChangedFile => ({ path, change: 'added', insertions: 1, deletions: 0 });

/** Makes an ended attempt with these patches, one per repository. */
async function anAttempt(patches: readonly string[], { is_cut = false, is_terminal = false } = {}) {
  const world = await createWorld();
  const { project_id, repo_id, start } = await aBoard(world);
  const repos = [{ repo_id }];
  for (const name of ['api', 'docs'].slice(0, patches.length - 1)) {
    const { repo_id } = await world.ask('admin_add_repo', { project_id, path: `/repos/${name}` });
    repos.push({ repo_id });
  }
  const worker = await aWorker(world);
  const attempt_id = (await start({ repos })).attempt_id as string;
  const run = await worker.take();
  const changed = run.repos.map((repo, i) => ({
    ...repo,
    patch: patches[i] ?? '',
    files: JSON.stringify([file(`${repo.repo_name}.txt`)]),
    is_patch_cut: is_cut,
  }));
  await worker.finish(run, { status: 'completed', reason: null }, changed);
  const terminal = createBoardTerminal(world, { is_terminal });
  return { branch: run.attempt.branch, diff: (...words: string[]) => terminal.type('diff', attempt_id, ...words) };
}

describe('errand diff', () => {
  it('prints the patch and nothing else, however long it is', async () => {
    const patch = patchOf('big.txt', 'é\t😀\r'.repeat(60_000));
    const { diff } = await anAttempt([patch]);

    const { code, out, remarks } = await diff();

    expect({ code, remarks }).toEqual({ code: 0, remarks: '' });
    expect(out === patch).toBe(true);
  });

  it('shows a person no terminal control characters', async () => {
    const { diff } = await anAttempt([patchOf('a.txt', 'rm -rf /\rls')], { is_terminal: true });

    expect((await diff()).out).toBe(patchOf('a.txt', 'rm -rf /ls'));
  });

  it('shows only one file', async () => {
    const { diff } = await anAttempt([patchOf('a.txt', 'a') + patchOf('b.txt', 'b')]);

    expect((await diff('b.txt')).out).toBe(patchOf('b.txt', 'b'));
  });

  it.each([[['nosuch.txt']], [['nosuch.txt', '--files']]])(
    'says of %j that nothing was changed there',
    async (words) => {
      const { diff } = await anAttempt([patchOf('shop.txt', 'a')]);

      const { code, out, remarks } = await diff(...words);

      expect({ code, out: out.trim() }).toEqual({ code: 1, out: '' });
      expect(remarks).toMatch(/^nosuch\.txt is not among the changes\. Those are: errand diff \S+ --files\n$/);
    },
  );

  it('shows only one repository, so that git can apply it there', async () => {
    const patches = [patchOf('shop.txt', '# api'), patchOf('api.txt', 'b'), patchOf('docs.txt', 'c')];
    const { diff } = await anAttempt(patches);

    const parts = [await diff('--repo', 'shop'), await diff('--repo', 'api'), await diff('--repo', 'docs')];

    expect(parts.map(({ out }) => out)).toEqual(patches);
    await expect(diff('--repo', 'moon')).rejects.toMatchObject({ hint: 'Give one of these: shop, api, docs.' });
  });

  it('lists the files with the lines added and removed', async () => {
    const { diff } = await anAttempt([patchOf('shop.txt', 'a'), patchOf('api.txt', 'b')]);

    expect((await diff('--files')).out).toBe('shop.txt  +1 -0  added\napi.txt  +1 -0  added\n');
    expect((await diff('--files', '--repo', 'api')).out).toBe('api.txt  +1 -0  added\n');
  });

  it.each([
    ['was too long to be kept', 'a', { is_cut: true }, 'it was too long to be kept'],
    ['holds what nobody can see', 'a\u200bb', {}, 'contents that are not plain text are left out'],
    [
      'is about a picture',
      'a\nBinary files a/x.png and b/x.png differ',
      {},
      'contents that are not plain text are left out',
    ],
  ])('says where the whole of a patch is that %s', async (_, text, fields, why) => {
    const { diff, branch } = await anAttempt([patchOf('a.txt', text)], fields);

    const { code, remarks } = await diff();

    expect(code).toBe(1);
    expect(remarks).toBe(`Do not apply this patch: ${why}. All of it is on the branch ${branch}.\n`);
  });
});
