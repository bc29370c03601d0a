import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Repository } from '../repository.ts';
import type { Fields } from '../site.ts';
import { isDone, type Loop, REPOSITORY } from './loop.ts';

/** The operator's check of a project with this key: one command in the folder of the repository. */
export const checksOf = (key: string): object => ({
  [`${key}/${REPOSITORY}`]: [
    {
      name: 'greeting',
      command: ['/bin/sh', '-c', 'grep -q ^Hello greeting.txt || { echo greeting.txt must say Hello; exit 1; }'],
      timeout_s: 60,
    },
  ],
});

const COMMENT = 'Say it to the world.';
const TITLE = 'Greet whoever comes';

/** One agent begins wrongly and mends what a check and a comment tell it; the other is right at once. */
const scriptOf = (key: string): string =>
  [
    'only scripted write greeting.txt Good day',
    'only scripted later "must say Hello" write greeting.txt Hello',
    'only scripted later "must say Hello" append greeting.txt Yours, Shop',
    `only scripted later "${COMMENT}" write greeting.txt # Greeting`,
    `only scripted later "${COMMENT}" append greeting.txt Hello, world`,
    `only scripted later "${COMMENT}" append greeting.txt Yours, Shop`,
    `only scripted later "${COMMENT}" mcp resolve_review_comment {"comment_id":"${key}-1.1#1","note":"Done."}`,
    'only asking write greeting.txt Hello from me',
    'say Greeted.',
  ].join('\n');

const lines = async ({ git }: Repository, format: string, range: string) =>
  (await git('log', '--reverse', `--format=${format}`, range)).split('\n');

/** From a task to a merged branch: two agents, a red check, its automatic follow-up, comments on lines, a squash. */
export async function playLoop(loop: Loop): Promise<void> {
  const { call, key, look, repository, until } = loop;
  const { git } = repository;
  const first = await git('rev-parse', 'main');
  const [task, one, two] = [`${key}-1`, `${key}-1.1`, `${key}-1.2`];

  expect(await call('create_task', { project_id: key, title: TITLE })).toMatchObject({ key: task });
  const started = await call('start_task_attempt', {
    task_id: task,
    executors: ['scripted', 'asking'],
    prompt: scriptOf(key),
    repos: [{ repo_id: REPOSITORY }],
  });
  expect(started).toMatchObject({
    attempts: [
      { key: one, executor: 'scripted' },
      { key: two, executor: 'asking' },
    ],
  });

  // The red check is sent back to the agent, which mends it.
  const begun = (started.attempts as readonly Fields[])[0]?.execution_id;
  const green = await until(one, (seen) => isDone(seen) && seen.verdict === 'green');
  expect(await until(two, isDone)).toMatchObject({ verdict: 'green', state: 'review' });
  expect(green.run).toMatchObject({ status: 'completed' });
  expect(green.run.execution_id).not.toBe(begun);
  expect(green.task).toMatchObject({ status: 'inreview' });
  expect(await look(one, ['checks'])).toMatchObject({ checks: [{ name: 'greeting', status: 'passed', exit_code: 0 }] });

  // Comments on lines become one follow-up; the line that moved takes its comment along.
  const comment = { attempt_id: one, path: 'greeting.txt' };
  expect(await call('add_review_comment', { ...comment, line: 1, text: COMMENT })).toMatchObject({ key: `${one}#1` });
  await call('add_review_comment', { ...comment, line: 2, text: 'Keep this line.' });
  const sent = await call('send_review', { attempt_id: one });
  expect(sent).toMatchObject({ comments: 2, execution_id: expect.any(String) });
  const reviewed = await until(one, (seen) => isDone(seen) && seen.run.execution_id === sent.execution_id);
  expect(reviewed).toMatchObject({ verdict: 'green', state: 'review', run: { status: 'completed' } });
  await call('resolve_review_comment', { comment_id: `${one}#2` });
  expect(await look(one, ['comments'])).toMatchObject({
    comments: [
      { number: 1, status: 'resolved', note: 'Done.' },
      { number: 2, status: 'resolved', path: 'greeting.txt', line: 3, is_outdated: false },
    ],
  });

  expect(await call('compare_attempts', { task_id: task })).toMatchObject({
    attempts: [
      { key: one, executor: 'scripted', verdict: 'green', files: 1, added: 3, removed: 0 },
      { key: two, executor: 'asking', verdict: 'green', files: 1, added: 1, removed: 0 },
    ],
  });

  const branches = [reviewed.workspace_branch, (await look(two)).workspace_branch];
  const merged = await call('merge_attempt', { attempt_id: one, mode: 'squash' });
  const squash = await git('rev-parse', 'main');
  expect(merged).toMatchObject({ status: 'merged', verdict: 'green', commits: [{ commit: squash }] });
  await judgeHistory(loop, { first, squash, branches });

  expect(await look(one)).toMatchObject({ state: 'merged', task: { status: 'done' } });
  expect(await look(two)).toMatchObject({ state: 'archived' });
  for (const attempt of [one, two]) await until(attempt, ({ folders }) => folders === 'none');
  expect(await call('merge_attempt', { attempt_id: one })).toMatchObject({
    status: 'merged',
    commits: [{ commit: squash }],
  });
}

/** Every commit of every branch, and the files of the person's work tree. */
async function judgeHistory(
  { key, repository }: Loop,
  { first, squash, branches }: { first: string; squash: string; branches: readonly string[] },
): Promise<void> {
  const { git, path } = repository;
  expect(await lines(repository, '%H %P %an %s', 'main')).toEqual([
    `${first}  Ana First`,
    `${squash} ${first} Ana ${TITLE} (${key}-1)`,
  ]);
  expect(await git('log', '-1', '--format=%(trailers:key=Errand-Attempt,valueonly)', 'main')).toBe(`${key}-1.1`);
  const [one = '', two = ''] = branches;
  expect(await lines(repository, '%s', `${first}..${one}`)).toEqual([TITLE, TITLE, TITLE]);
  expect(await lines(repository, '%s', `${first}..${two}`)).toEqual([TITLE]);
  const texts = await Promise.all(
    [`${one}~2`, `${one}~1`, one, two, 'main'].map((ref) => git('show', `${ref}:greeting.txt`)),
  );
  const greeting = '# Greeting\nHello, world\nYours, Shop';
  expect(texts).toEqual(['Good day', 'Hello\nYours, Shop', greeting, 'Hello from me', greeting]);
  expect(await git('diff', '--name-only', first, 'main')).toBe('greeting.txt');
  expect(await readFile(join(path, 'greeting.txt'), 'utf8')).toBe(`${greeting}\n`);
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe(
    [...branches, 'main'].toSorted().join('\n'),
  );
}
