import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from './site.ts';
import { isAsking, openStage, type Stage } from './stage.ts';
import { TASK_WAYS, type TaskClient } from './task-clients.ts';
import { WAYS } from './ways.ts';

const [plain = expect.unreachable()] = WAYS;

// Not concurrent: a client answers any question with the answer for its current call.
const ONE_AT_A_TIME = { concurrent: false };

let site: Site;
beforeAll(async () => {
  site = await openSite('sqlite');
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
});

describe.concurrent.each(TASK_WAYS)('a run as a task, over $name', ({ connect, tells_progress }) => {
  let client: TaskClient;
  let stage: Stage;
  beforeAll(async () => {
    client = await connect(site);
    stage = await openStage(site, plain, await plain.connect(site, site.token));
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
  });

  const attempt = async (executor: string, ...script: readonly string[]) => ({
    task_id: await stage.task(),
    executor,
    prompt: script.join('\n'),
    repos: [{ repo_id: stage.repo_id }],
  });

  it('passes on the agent’s question and the answer, and ends with the outcome', ONE_AT_A_TIME, async () => {
    const script = ['step Plan', 'ask Run the tests?', 'usage 10 5', 'write a.txt Hello', 'say All green.'];
    const call = await attempt('asking', ...script);

    const { status, result, states, questions, progress } = await client.run('start_task_attempt', call, {
      answer: 'yes',
    });

    const { attempts } = await stage.call('list_task_attempts', { task_id: call.task_id });
    const [{ attempt_id, workspace_branch } = expect.unreachable()] = attempts as readonly {
      readonly attempt_id: string;
      readonly workspace_branch: string;
    }[];
    const commit = await site.repository.git('rev-parse', workspace_branch);
    expect(status).toBe('completed');
    expect(result).toMatchObject({
      structuredContent: {
        task_id: call.task_id,
        attempt_id,
        run_status: 'completed',
        summary: expect.stringContaining('All green.'),
        branch: workspace_branch,
        commits: [{ repo_id: stage.repo_id, commit }],
        changed_files: [{ path: 'a.txt', change: 'added', insertions: 1, deletions: 0 }],
        usage: { input_tokens: 10, output_tokens: 5, cost_usd: 0.01 },
      },
    });
    expect(result).not.toHaveProperty('isError');
    expect(questions).toEqual([expect.stringContaining('Run the tests?')]);
    expect(states).toContainEqual(
      expect.objectContaining({
        status: 'input_required',
        statusMessage: expect.stringContaining('Waits for an answer: Run the tests?'),
      }),
    );
    expect(progress.length > 0).toBe(tells_progress);
  });

  it('reports the current step, and is stopped by cancelling it', ONE_AT_A_TIME, async () => {
    const call = await attempt('scripted', 'step Plan', 'open-step Running tests', 'sleep 600000');

    const { status, states } = await client.run('start_task_attempt', call, {
      seen: async ({ statusMessage }, cancel) => {
        if (statusMessage === 'Running tests') await cancel();
      },
    });

    const { latest_attempt_id } = await stage.call('list_task_attempts', { task_id: call.task_id });
    const { run } = await stage.rested(String(latest_attempt_id));
    expect(status).toBe('cancelled');
    expect(states).toContainEqual(expect.objectContaining({ status: 'working', statusMessage: 'Running tests' }));
    expect(run).toMatchObject({ status: 'killed', reason: 'stopped' });
  });

  it('is an error of the tool when the run fails', ONE_AT_A_TIME, async () => {
    const { status, result } = await client.run('start_task_attempt', await attempt('scripted', 'exit 3'));

    expect(status).toBe(tells_progress ? 'failed' : 'completed');
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { run_status: 'failed', reason: 'exit code 3' },
    });
  });

  it('[B-FOLLOW-S4] of a follow-up that waits ends with the run that it becomes', ONE_AT_A_TIME, async () => {
    const { attempt_id } = await stage.start(['ask Go on?'], { executor: 'asking' });
    const { approvals } = await stage.until(attempt_id, isAsking);
    const decision = { approval_id: approvals[0]?.approval_id, decision: 'approve' };
    let isAnswered = false;

    const { status, result, states } = await client.run(
      'follow_up',
      { attempt_id, action: 'queue', prompt: 'say Tested.' },
      {
        seen: async ({ statusMessage }) => {
          if (isAnswered || statusMessage !== 'Waits for the run before it to end.') return;
          isAnswered = true;
          await stage.call('respond_approval', decision);
        },
      },
    );

    expect(states.map(({ statusMessage }) => statusMessage)).toContain('Waits for the run before it to end.');
    expect(status).toBe('completed');
    expect(result).toMatchObject({
      structuredContent: { attempt_id, run_status: 'completed', summary: expect.stringContaining('Tested.') },
    });
  });
});
