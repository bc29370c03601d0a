import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRepository } from './repository.ts';
import { openSite, type Site } from './site.ts';
import { feedOf, openStage, type Stage } from './stage.ts';
import { WAYS } from './ways.ts';

const [way = expect.unreachable()] = WAYS;

let site: Site;
let stage: Stage;
beforeAll(async () => {
  site = await openSite('sqlite');
  stage = await openStage(site, way, await way.connect(site, site.token));
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
});

/** Another repository of the project. */
async function linked(name: string, files: Readonly<Record<string, string>>, setup_script?: string) {
  const repository = await aRepository(join(site.folder, name), files);
  const link = { project_id: stage.project_id, path: repository.path, ...(setup_script && { setup_script }) };
  return { ...repository, repo_id: String((await site.admin('add_repo', link)).repo_id) };
}

async function ran(repo_ids: readonly string[], ...script: readonly string[]) {
  const input = { task_id: await stage.task(), executor: 'scripted', prompt: script.join('\n') };
  const repos = repo_ids.map((repo_id) => ({ repo_id }));
  const { attempt_id } = await stage.call('start_task_attempt', { ...input, repos });
  return stage.rested(String(attempt_id));
}

describe('the repository of an attempt', () => {
  it('keeps its own work tree, index and HEAD as they are, and gets the commits on a branch', async () => {
    const { git, path, repo_id } = await linked('untouched', { 'README.md': '# Shop\n' });
    await writeFile(join(path, 'README.md'), '# Shop, half written\n');
    await writeFile(join(path, 'staged.txt'), 'Staged\n');
    await git('add', 'staged.txt');
    const look = async () => [await git('status', '--porcelain'), await git('rev-parse', 'HEAD'), await git('diff')];
    const before = await look();

    const { workspace_branch, run, repos } = await ran(
      [repo_id],
      'write own.txt Own',
      'commit By the agent',
      'append README.md More',
    );

    const [{ head_commit } = { head_commit: '' }] = repos as readonly { readonly head_commit: string }[];
    expect(run).toMatchObject({ status: 'completed' });
    expect(await look()).toEqual(before);
    expect(await git('rev-parse', workspace_branch)).toBe(head_commit);
    expect(await git('show', `${workspace_branch}:README.md`)).toBe('# Shop\nMore');
    expect((await git('log', '--format=%s', `main..${workspace_branch}`)).split('\n')).toEqual([
      'Greet',
      'By the agent',
    ]);
  });

  it('continues on the same branch when a follow-up comes after its folders were removed', async () => {
    const { git, repo_id } = await linked('removed', { 'README.md': '# Shop\n' });
    const { attempt_id, workspace_branch } = await ran([repo_id], 'write a.txt One');
    await stage.call('remove_attempt', { attempt_id });
    await stage.until(String(attempt_id), ({ folders }) => folders === 'none');

    await stage.call('follow_up', { attempt_id, action: 'send', prompt: 'append a.txt Two' });
    await stage.rested(String(attempt_id));

    expect(await git('show', `${workspace_branch}:a.txt`)).toBe('One\nTwo');
  });

  it('gives the attempt what .worktreeinclude names, and runs its set-up script there once', async () => {
    const files = {
      '.gitignore': '.env\nsecret.txt\nran.txt\n',
      '.worktreeinclude': '.env\n',
      'README.md': '# Shop\n',
    };
    const { path, repo_id } = await linked('prepared', files, 'echo ran >> ran.txt');
    await writeFile(join(path, '.env'), 'COLOUR=green\n');
    await writeFile(join(path, 'secret.txt'), 'mine\n');

    const { attempt_id, repos } = await ran([repo_id], 'write seen.txt Seen');
    await stage.call('follow_up', { attempt_id, action: 'send', prompt: 'say again' });
    await stage.rested(String(attempt_id));

    const folder = join(site.place.data, 'attempts', String(attempt_id), 'prepared');
    expect(repos).toHaveLength(1);
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe('COLOUR=green\n');
    expect(await readFile(join(folder, 'ran.txt'), 'utf8')).toBe('ran\n');
    await expect(readFile(join(folder, 'secret.txt'))).rejects.toThrow('ENOENT');
  });

  it('fails the run when its set-up script does, before any agent is started', async () => {
    const { repo_id } = await linked('broken', { 'README.md': '# Shop\n' }, 'exit 4');

    const { run } = await ran([repo_id], 'say hello');

    expect(run).toMatchObject({ status: 'failed', reason: expect.stringContaining('exit code 4') });
    expect((await site.notes()).map(({ execution_id }) => execution_id)).not.toContain(run.execution_id);
  });

  it('[B-CTX-1] may be one of several, each in a folder of its name with commits of its own', async () => {
    const front = await linked('front', { 'README.md': '# Front\n' });
    const back = await linked('back', { 'README.md': '# Back\n' });
    const twin = await linked('elsewhere/front', { 'README.md': '# Twin\n' });

    const { run, workspace_branch, repos } = await ran(
      [front.repo_id, back.repo_id, twin.repo_id],
      'write front/a.txt Front',
      'write back/b.txt Back',
      'write front+2/c.txt Twin',
      'mcp get_context',
    );

    const [said = ''] = (await feedOf(site, run.execution_id)).filter((line) => line.startsWith('{'));
    expect(repos).toMatchObject([{ repo_name: 'front' }, { repo_name: 'back' }, { repo_name: 'front' }]);
    expect(JSON.parse(said)).toMatchObject({
      workspace_repos: [
        { repo_id: front.repo_id, repo_name: 'front', target_branch: 'main' },
        { repo_id: back.repo_id, repo_name: 'back', target_branch: 'main' },
        { repo_id: twin.repo_id, repo_name: 'front', target_branch: 'main' },
      ],
    });
    expect(await front.git('show', `${workspace_branch}:a.txt`)).toBe('Front');
    expect(await back.git('show', `${workspace_branch}:b.txt`)).toBe('Back');
    expect(await twin.git('show', `${workspace_branch}:c.txt`)).toBe('Twin');
  });
});
