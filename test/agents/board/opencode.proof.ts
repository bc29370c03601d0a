import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errand, type Finished } from '../../e2e/program.ts';
import { opencodeAgent } from './agents.ts';
import type { Approval } from './seen.ts';
import { openStage, type PlayedRun, type Stage } from './stage.ts';

const TIMEOUT_MS = 240_000;

const todos = (...statuses: readonly string[]) => ({
  tool: 'todowrite',
  arguments: {
    todos: ['Write the greeting', 'Check it'].map((content, index) => ({
      content,
      status: statuses[index],
      priority: 'high',
    })),
  },
});
const command = (line: string) => ({ tool: 'bash', arguments: { command: line, description: `Runs ${line}` } });

const greet = (folder: string) => [
  { tool: 'get_context', arguments: {} },
  todos('in_progress', 'pending'),
  { tool: 'create_step', arguments: { execution_id: '$EXECUTION_ID', step_name: 'Greet' } },
  opencodeAgent.write(folder, 'hello.txt', 'Hello'),
  todos('completed', 'in_progress'),
  command('cat hello.txt'),
  command('wc -c hello.txt'),
  { tool: 'update_step', arguments: { execution_id: '$EXECUTION_ID', step_id: '$STEP_ID', status: 'completed' } },
  todos('completed', 'completed'),
];

describe(`opencode ${opencodeAgent.version} over ACP`, () => {
  const open = new AsyncDisposableStack();
  let stage: Stage;
  let questions: readonly Approval[];
  let typed: Finished;
  let first: PlayedRun;
  let second: PlayedRun;

  beforeAll(async () => {
    stage = open.use(await openStage(opencodeAgent));
    stage.script(greet);
    const attempt_id = await stage.start('Write hello.txt.');
    const one = await stage.asked(attempt_id);
    const option = one.options.find(({ kind }) => kind === 'allow_once')?.option;
    await stage.call('respond_approval', { approval_id: one.approval_id, option });
    const other = await stage.asked(attempt_id);
    typed = await errand(['answer', other.approval_id, '--approve', '--data', stage.data]);
    questions = [one, other];
    first = await stage.ended(attempt_id);

    await stage.replaceServer();
    stage.script((folder) => [...greet(folder), opencodeAgent.write(folder, 'more.txt', 'More')]);
    await stage.call('follow_up', { attempt_id, action: 'send', prompt: 'Write more.txt.' });
    second = await stage.ended(attempt_id);
  }, TIMEOUT_MS);
  afterAll(() => open.disposeAsync());

  it('takes a task, edits a file in its worktree, and the commit is on the branch', async () => {
    expect(first, first.story).toMatchObject({ status: 'completed', summary: 'Done.', task_status: 'inreview' });
    expect(await stage.repository.git('show', `${first.branch}~1:hello.txt`), first.story).toBe('Hello');
    expect(await stage.repository.git('log', '--format=%s', 'main')).toBe('First');
  });

  it('asks for permission, and is answered by a tool and from the command line', () => {
    expect(questions, first.story).toMatchObject([
      { question: expect.stringContaining('cat hello.txt') },
      { question: expect.stringContaining('wc -c hello.txt') },
    ]);
    expect(typed).toMatchObject({ code: 0, stdout: 'Sent to the agent: approved.\n' });
    expect(first.feed.filter(({ kind }) => kind === 'output').map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Hello', '5 hello.txt']),
    );
  });

  it('is followed by its own reports, its plan and its tools', () => {
    const steps = first.steps.map(({ source, status, step_name }) => `${source} ${status} ${step_name}`);

    expect(steps, first.story).toEqual(
      expect.arrayContaining([
        'plan completed Write the greeting',
        'agent completed Greet',
        'plan completed Check it',
        expect.stringMatching(/^tool completed .*hello\.txt/),
      ]),
    );
    expect(steps.filter((step) => step.includes('_step'))).toEqual([]);
    expect(first.client).toContain(opencodeAgent.version);
    // This agent counts only its last request to the model.
    expect(first.usage, first.story).toMatchObject({ input_tokens: 1, output_tokens: 1 });
  });

  it('[B-FOLLOW-S1] resumes its session under another server, and its model gets the earlier messages', async () => {
    expect(second, second.story).toMatchObject({ status: 'completed', session_id: first.session_id });
    expect(second.session_id).toMatch(/^ses_/);
    expect(second.heard, second.story).toEqual([9, 10]);
    expect(second.steps, second.story).toMatchObject([{ source: 'tool', status: 'completed' }]);
    expect(await stage.repository.git('show', `${second.branch}:more.txt`), second.story).toBe('More');
  });

  it('connects to nothing that is not on this machine', () => {
    expect(stage.strangers()).toEqual([]);
  });
});
