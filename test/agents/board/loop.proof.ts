import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksOf } from '../../e2e/board/scenarios/whole-loop.ts';
import { opencodeAgent } from './agents.ts';
import { openStage, type Stage } from './stage.ts';

const TIMEOUT_MS = 400_000;
const LOOK_EVERY_MS = 200;
const TITLE = 'Greet whoever comes';
const COMMENT = 'Say it to the world.';
const [TASK, ONE, TWO] = ['SHO-1', 'SHO-1.1', 'SHO-1.2'];

/** A second agent beside the real one. */
const scripted = {
  kind: 'command',
  command: [execPath, join(import.meta.dirname, '../../e2e/board-agents/command-agent.mjs')],
};

interface Seen {
  readonly state: string;
  readonly verdict: string | null;
  readonly run: { readonly execution_id: string };
}

/** An agent reads a file before it changes it. */
const rewrite = (text: string) => [
  { tool: 'read', arguments: { filePath: 'greeting.txt' } },
  opencodeAgent.write('', 'greeting.txt', text),
];

/** How the model reacts to a prompt, as a real model would. The first reaction that fits counts. */
const REACTIONS = [
  {
    words: COMMENT,
    calls: [
      ...rewrite('# Greeting\nHello, world\nYours, Shop\n'),
      { tool: 'resolve_review_comment', arguments: { comment_id: `${ONE}#1`, note: 'Done.' } },
    ],
  },
  { words: 'greeting.txt must say Hello', calls: rewrite('Hello\nYours, Shop\n') },
  { words: 'Hello from me', calls: [opencodeAgent.write('', 'greeting.txt', 'Good day\n')] },
];

describe(`the whole loop with opencode ${opencodeAgent.version}`, () => {
  const open = new AsyncDisposableStack();
  let stage: Stage;
  beforeAll(async () => {
    stage = open.use(await openStage(opencodeAgent, { checks: checksOf('SHO'), executors: { scripted } }));
    await stage.call('admin_update_project', { project_id: 'SHO', retry_red: 1 });
    stage.react(REACTIONS);
  }, TIMEOUT_MS);
  afterAll(() => open.disposeAsync());

  const until = async (attempt_id: string, isSo: (seen: Seen) => boolean): Promise<void> => {
    for (;;) {
      // The cast: the answer of get_attempt has all these fields.
      const seen = (await stage.call('get_attempt', { attempt_id })) as unknown as Seen;
      if (isSo(seen)) return;
      if (seen.state === 'failed') throw new Error((await stage.ended(attempt_id)).story);
      await pause(LOOK_EVERY_MS);
    }
  };

  it(
    '[L-KEY, L-VERIFY, L-SIBLINGS, L-REVIEW, L-SHIP] goes from a task to a merged branch',
    async () => {
      const { call, repository } = stage;
      const { git } = repository;
      const first = await git('rev-parse', 'main');
      await call('create_task', { project_id: 'SHO', title: TITLE });
      const prompt = 'write greeting.txt Hello from me';
      const executors = ['opencode', 'scripted'];
      await call('start_task_attempt', { task_id: TASK, executors, prompt, repos: [{ repo_id: 'shop' }] });
      await until(TWO, ({ verdict }) => verdict === 'green');
      await until(ONE, ({ verdict }) => verdict === 'green');

      const comment = { attempt_id: ONE, path: 'greeting.txt' };
      await call('add_review_comment', { ...comment, line: 1, text: COMMENT });
      await call('add_review_comment', { ...comment, line: 2, text: 'Keep this line.' });
      const { execution_id } = await call('send_review', { attempt_id: ONE });
      await until(ONE, ({ run, verdict }) => run.execution_id === execution_id && verdict === 'green');
      const { branch, story } = await stage.ended(ONE);

      expect(await call('get_attempt', { attempt_id: ONE, include: ['comments'] }), story).toMatchObject({
        comments: [
          { number: 1, status: 'resolved', note: 'Done.' },
          { number: 2, status: 'sent', line: 3, is_outdated: false },
        ],
      });
      expect(await call('compare_attempts', { task_id: TASK })).toMatchObject({
        attempts: [
          { key: ONE, executor: 'opencode', verdict: 'green', files: 1, added: 3 },
          { key: TWO, executor: 'scripted', verdict: 'green', files: 1, added: 1 },
        ],
      });
      const merged = await call('merge_attempt', { attempt_id: ONE, mode: 'squash' });
      const squash = await git('rev-parse', 'main');
      expect(merged, story).toMatchObject({ status: 'merged', commits: [{ commit: squash }] });
      expect((await git('log', '--reverse', '--format=%H %P %s', 'main')).split('\n')).toEqual([
        `${first}  First`,
        `${squash} ${first} ${TITLE} (${TASK})`,
      ]);
      const texts = [];
      for (const ref of [`${branch}~2`, `${branch}~1`, branch, 'main'])
        texts.push(await git('show', `${ref}:greeting.txt`));
      const greeting = '# Greeting\nHello, world\nYours, Shop';
      expect(texts, story).toEqual(['Good day', 'Hello\nYours, Shop', greeting, greeting]);
      expect(await git('rev-parse', `${branch}~3`)).toBe(first);
      expect(await git('status', '--porcelain')).toBe('');
    },
    TIMEOUT_MS,
  );

  it('connects to nothing that is not on this machine', () => {
    expect(stage.strangers()).toEqual([]);
  });
});
