import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { aRepository, type Repository } from '../repository.ts';
import type { Site } from '../site.ts';
import { isDone, type Loop, REPOSITORY } from './loop.ts';

const TITLE = 'Greet in both';

/** All that a merge could change in a person's repository. */
async function pictureOf({ git }: Repository): Promise<readonly string[]> {
  const looks = [
    ['for-each-ref'],
    ['status', '--porcelain'],
    ['diff'],
    ['diff', '--cached'],
    ['reflog'],
    ['stash', 'list'],
  ];
  const seen: string[] = [];
  for (const look of looks) seen.push(await git(...look));
  // Errand's own references are its own.
  return seen.map((text) => text.replaceAll(/^.*refs\/errand\/.*\n?/gm, ''));
}

async function commitGreeting({ git, path }: Repository, text: string, message: string): Promise<void> {
  await writeFile(join(path, 'greeting.txt'), `${text}\n`);
  await git('commit', '--quiet', '--all', `--message=${message}`);
}

/** Conflicts are told before anything changes, the agent resolves them, a dirty work tree is left alone, and both repositories move together. */
export async function playShipping(site: Site, loop: Loop): Promise<void> {
  const { call, key, until, repository: shop } = loop;
  const api = await aRepository(join(site.folder, key, 'api'), { 'greeting.txt': 'Hello\n' });
  for (const setting of ['user.name', 'user.email']) await api.git('config', setting, 'ana@localhost');
  await site.admin('add_repo', { project_id: key, path: api.path });
  const both = async () => [await pictureOf(shop), await pictureOf(api)];
  const [task, attempt_id] = [`${key}-1`, `${key}-1.1`];
  await call('create_task', { project_id: key, title: TITLE });
  const prompt = [
    'write shop/greeting.txt Hello',
    'write api/greeting.txt Hello, world',
    // The follow-up names the file that has conflicts.
    'later "greeting.txt" write api/greeting.txt Good day, world',
  ].join('\n');
  const repos = [{ repo_id: REPOSITORY }, { repo_id: 'api' }];
  await call('start_task_attempt', { task_id: task, executor: 'scripted', prompt, repos });
  const { run, workspace_branch } = await until(attempt_id, isDone);
  await commitGreeting(api, 'Good day', 'Another greeting');

  const before = await both();
  const conflicts = await call('merge_attempt', { attempt_id, mode: 'merge' });
  expect(conflicts).toMatchObject({ status: 'conflicts', conflicts: [{ path: 'greeting.txt' }] });
  expect(await both()).toEqual(before);

  const resolving = await call('merge_attempt', { attempt_id, mode: 'merge', resolve: true });
  expect(resolving).toMatchObject({ status: 'conflicts', follow_up_id: expect.any(String) });
  await until(attempt_id, (seen) => isDone(seen) && seen.run.execution_id !== run.execution_id);
  expect(await api.git('show', `${workspace_branch}:greeting.txt`)).toBe('Good day, world');

  await writeFile(join(shop.path, 'README.md'), '# Shop, half written\n');
  const dirty = await both();
  const refused = await call('merge_attempt', { attempt_id, mode: 'merge' });
  expect(refused).toMatchObject({ status: 'refused', code: 'not_clean', reason: expect.stringContaining(shop.path) });
  expect(await both()).toEqual(dirty);

  await shop.git('checkout', '--quiet', 'README.md');
  const merged = await call('merge_attempt', { attempt_id, mode: 'merge' });
  expect(merged).toMatchObject({ status: 'merged' });
  expect((merged.commits as readonly { commit: string }[]).map(({ commit }) => commit).toSorted()).toEqual(
    [await shop.git('rev-parse', 'main'), await api.git('rev-parse', 'main')].toSorted(),
  );
  const subjects = ({ git }: Repository) => git('log', '--first-parent', '--format=%s', 'main');
  expect(await subjects(shop)).toBe(`Merge ${task}: ${TITLE}\nFirst`);
  expect(await subjects(api)).toBe(`Merge ${task}: ${TITLE}\nAnother greeting\nFirst`);
  for (const { git } of [shop, api]) expect(await git('status', '--porcelain')).toBe('');
  expect(await api.git('show', 'main:greeting.txt')).toBe('Good day, world');
  expect(await call('get_task', { task_id: task })).toMatchObject({ status: 'done' });
}
