import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBed, plainGit, writeFiles } from './testing/repository.ts';

const TRACKED = {
  '.gitignore': 'node_modules/\n*.log\n.env\n',
  '.worktreeinclude': '.env\n',
  'web/.gitignore': '/dist/*\n',
  'a.txt': 'one\n',
};

async function aFolder() {
  const bed = await aBed(TRACKED);
  await writeFiles(bed.source, { '.env': 'KEY=1\n' });
  return { bed, started: await bed.start() };
}

describe('removing a folder with ignored files', () => {
  it('removes what the project itself ignores, and unedited copies', async () => {
    const { bed, started } = await aFolder();
    await using _ = bed;
    await writeFiles(started.folder, { 'node_modules/x/index.js': 'x\n', 'web/dist/ü/x': 'x\n', 'web/x.log': 'x\n' });
    await writeFiles(bed.source, { '.env': 'KEY=2\n' });

    const answer = await bed.attemptFolders.remove(started);

    expect(answer).toBe('removed');
  });

  it('removes a folder from which a copy was deleted', async () => {
    const { bed, started } = await aFolder();
    await using _ = bed;
    await rm(join(started.folder, '.env'));

    const answer = await bed.attemptFolders.remove(started);

    expect(answer).toBe('removed');
  });

  it.each([
    ['a copy that was edited', { '.env': 'KEY=mine\n' }],
    ['a file that a new rule hides', { '.gitignore': `${TRACKED['.gitignore']}notes\n`, notes: 'mine\n' }],
    ['a folder that a new rule hides', { '.gitignore': `${TRACKED['.gitignore']}notes/\n`, 'notes/deep/x': 'mine\n' }],
    ['a folder that hides itself', { 'notes/.gitignore': '*\n', 'notes/x': 'mine\n', 'notes/x.log': 'x\n' }],
  ])('keeps %s', async (_what, files) => {
    const { bed, started } = await aFolder();
    await using _ = bed;
    await writeFiles(started.folder, { 'node_modules/x/index.js': 'x\n', ...files });
    await bed.attemptFolders.commit({ ...started, message: 'work' });

    const answer = await bed.attemptFolders.remove(started);

    expect(answer).toBe('unsaved');
    expect(Object.keys(files).every((name) => existsSync(join(started.folder, name)))).toBe(true);
  });

  it('keeps files below a submodule', async () => {
    await using bed = await aBed();
    plainGit(bed.source, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    plainGit(bed.source, '-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a submodule');
    const [filled, empty] = [await bed.start(), await bed.start('attempt-2')];
    await writeFiles(filled.folder, { 'module/x': 'mine\n' });

    const answers = [await bed.attemptFolders.remove(filled), await bed.attemptFolders.remove(empty)];

    expect(answers).toEqual(['unsaved', 'removed']);
  });
});
