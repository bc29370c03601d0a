import { describe, expect, it } from 'vitest';
import { createBoardWorld } from '#testing/board';

const createRepoWorld = async () => {
  const board = await createBoardWorld();
  const { project_id, world } = board;
  const add = async (fields: object = {}): Promise<string> =>
    (await world.ask('admin_add_repo', { project_id, path: '/repos/house', ...fields })).repo_id as string;
  const repos = async () => (await world.ask('admin_list_repos', { project_id })).repos;
  return { ...board, add, repos };
};

describe('the set-up script of a repository', () => {
  it('is empty unless it is given with the repository', async () => {
    await using world = await createRepoWorld();
    await world.add();
    await world.add({ path: '/repos/garden', setup_script: 'npm ci' });

    const repos = await world.repos();

    expect(repos).toMatchObject([
      { name: 'house', target_branch: 'main', setup_script: null },
      { name: 'garden', target_branch: 'main', setup_script: 'npm ci' },
    ]);
  });

  it('is changed and removed, and the target branch stays', async () => {
    await using world = await createRepoWorld();
    const repo_id = await world.add({ target_branch: 'next' });

    const changed = await world.world.ask('admin_update_repo', { repo_id, setup_script: 'npm ci' });
    const gone = await world.world.ask('admin_update_repo', { repo_id, setup_script: '' });

    expect(changed).toEqual({ repo_id, target_branch: 'next', setup_script: 'npm ci' });
    expect(gone).toEqual({ repo_id, target_branch: 'next', setup_script: null });
    expect(await world.repos()).toMatchObject([{ setup_script: null }]);
  });

  it('stays when only the target branch is changed', async () => {
    await using world = await createRepoWorld();
    const repo_id = await world.add({ setup_script: 'npm ci' });

    await world.world.ask('admin_update_repo', { repo_id, target_branch: 'next' });

    expect(await world.repos()).toMatchObject([{ target_branch: 'next', setup_script: 'npm ci' }]);
  });

  it('can be set and read by administrators only, because it runs on the machine', async () => {
    await using world = await createRepoWorld();
    const repo_id = await world.add({ setup_script: 'npm ci' });

    const refused = await world.world.refuse('admin_update_repo', { repo_id, setup_script: 'rm -r .' }, world.robot);
    const shown = await world.world.ask('list_repos', { project_id: world.project_id }, world.robot);

    expect(refused.code).toBe('insufficient_scope');
    expect(JSON.stringify(shown)).not.toContain('npm ci');
  });

  it('is refused for an unknown repository, and for a call that changes nothing', async () => {
    await using world = await createRepoWorld();
    const repo_id = await world.add();

    const unknown = await world.world.refuse('admin_update_repo', { repo_id: 'nothing', setup_script: 'npm ci' });
    const nothing = await world.world.refuse('admin_update_repo', { repo_id });

    expect([unknown.code, nothing.code]).toEqual(['not_found', 'validation_error']);
  });
});

describe('the target branch of a repository', () => {
  it('is the checked-out one, unless another is given', async () => {
    await using world = await createRepoWorld();

    await world.add({ path: '/repos/shop-old' });
    await world.add({ path: '/repos/shop' });
    await world.add({ path: '/repos/other-old', target_branch: 'next' });

    const branches = (await world.repos()) as readonly { path: string; target_branch: string }[];
    expect(branches.map(({ path, target_branch }) => `${path} ${target_branch}`).toSorted()).toEqual([
      '/repos/other-old next',
      '/repos/shop main',
      '/repos/shop-old master',
    ]);
  });
});

describe('a repository of a project', () => {
  it('is refused without a commit, with the command that makes one', async () => {
    await using world = await createRepoWorld();
    const { project_id } = world;

    const error = await world.world.refuse('admin_add_repo', { project_id, path: '/repos/house-empty' });

    expect(error).toMatchObject({
      code: 'validation_error',
      message: 'path: /repos/house-empty has no commit yet, and an attempt begins at one.',
      hint: 'Commit something first: git -C /repos/house-empty commit --allow-empty -m "first commit"',
    });
    expect(await world.repos()).toEqual([]);
  });

  it('is refused in a folder without git, with the commands that make a repository', async () => {
    await using world = await createRepoWorld();
    const { project_id } = world;

    const folder = await world.world.refuse('admin_add_repo', { project_id, path: '/folders/plans' });
    const nothing = await world.world.refuse('admin_add_repo', { project_id, path: '/nowhere/plans' });

    expect(folder).toMatchObject({
      code: 'validation_error',
      message: 'path: /folders/plans is no git repository.',
      hint: 'Make it one: git init /folders/plans && git -C /folders/plans commit --allow-empty -m "first commit"',
    });
    expect(nothing).toMatchObject({
      code: 'validation_error',
      message: 'path: there is no folder /nowhere/plans on this machine.',
    });
    expect(await world.repos()).toEqual([]);
  });

  it('is removed, as the audit trail shows, and comes back under its id', async () => {
    await using world = await createRepoWorld();
    const repo_id = await world.add();

    const removed = await world.world.ask('admin_remove_repo', { repo_id: 'house' });
    const gone = await world.repos();
    const again = await world.add({ target_branch: 'next' });

    expect(removed).toEqual({ repo_id, name: 'house', status: 'removed' });
    expect(gone).toEqual([]);
    expect([again, await world.repos()]).toMatchObject([repo_id, [{ target_branch: 'next' }]]);
    expect((await world.world.ask('admin_list_audit', { entity_id: repo_id })).entries).toMatchObject([
      { action: 'admin_add_repo' },
      { action: 'admin_remove_repo', after_digest: null },
      { action: 'admin_add_repo' },
    ]);
  });

  it('no longer exists after it was removed', async () => {
    await using world = await createRepoWorld();
    const repo_id = await world.add();

    await world.world.ask('admin_remove_repo', { repo_id });

    expect((await world.world.refuse('admin_remove_repo', { repo_id })).code).toBe('not_found');
    expect((await world.world.refuse('admin_update_repo', { repo_id, target_branch: 'x' })).code).toBe('not_found');
  });
});
