import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FOUND_AGENTS } from './agents.ts';
import { openStage, type PlayedRun, type Stage } from './stage.ts';

const TIMEOUT_MS = 240_000;

describe.each(FOUND_AGENTS)('$title $version, found on the PATH', (agent) => {
  const open = new AsyncDisposableStack();
  let stage: Stage;
  let first: PlayedRun;
  let second: PlayedRun;

  const greet = (folder: string) => [
    { tool: 'get_context', arguments: {} },
    { tool: 'create_step', arguments: { execution_id: '$EXECUTION_ID', step_name: 'Greet' } },
    agent.write(folder, 'hello.txt', 'Hello'),
    { tool: 'update_step', arguments: { execution_id: '$EXECUTION_ID', step_id: '$STEP_ID', status: 'completed' } },
  ];

  beforeAll(async () => {
    stage = open.use(await openStage(agent));
    stage.script(greet);
    const attempt_id = await stage.start('Write hello.txt.');
    first = await stage.ended(attempt_id);

    await agent.settled?.();
    await stage.replaceServer();
    stage.script((folder) => [...greet(folder), agent.write(folder, 'more.txt', 'More')]);
    await stage.call('follow_up', { attempt_id, action: 'send', prompt: 'Write more.txt.' });
    second = await stage.ended(attempt_id);
  }, TIMEOUT_MS);
  afterAll(() => open.disposeAsync());

  it('is offered as ready, and missing agents are not', async () => {
    const { executors } = (await stage.call('list_executors', {})) as { readonly executors: readonly object[] };

    expect(executors).toContainEqual(
      expect.objectContaining({ executor: agent.executor, is_ready: true, problem: null }),
    );
    expect(executors).toContainEqual(
      expect.objectContaining({ executor: 'qwen', is_ready: false, problem: expect.stringContaining('not installed') }),
    );
  });

  it('edits a file in its worktree, which is committed on the branch', async () => {
    expect(first, first.story).toMatchObject({ status: 'completed', summary: 'Done.', task_status: 'inreview' });
    expect(await stage.repository.git('show', `${first.branch}~1:hello.txt`), first.story).toBe('Hello');
    expect(await stage.repository.git('log', '-1', '--format=%s', 'main')).toBe('First');
  });

  it('reports a step through the given server, besides its observed actions', () => {
    expect(first.steps, first.story).toMatchObject([
      { step_name: 'Greet', source: 'agent', status: 'completed' },
      { source: 'tool', status: 'completed' },
    ]);
    expect(first.client, first.story).toContain(agent.version);
    expect(first.usage, first.story).toMatchObject({ input_tokens: 5, output_tokens: 5 });
  });

  it('[B-FOLLOW-S1] resumes its session under another server, and its model gets the earlier messages', async () => {
    expect(second, second.story).toMatchObject({ status: 'completed', session_id: first.session_id });
    expect(second.session_id).toMatch(/\w{8}/);
    expect(second.heard, second.story).toEqual([4, 5]);
    expect(second.steps, second.story).toMatchObject([{ source: 'tool', status: 'completed' }]);
    expect(await stage.repository.git('show', `${second.branch}:more.txt`), second.story).toBe('More');
  });

  it('connects to nothing that is not on this machine', () => {
    expect(stage.strangers()).toEqual([]);
  });
});
