import { describe, expect, it, vi } from 'vitest';
import type { RunId } from '#domain/ids';
import { aSteeredRun } from '#testing/steered';
import { createWorld, type World } from '#testing/world';

const COMPLETED = { status: 'completed', reason: null, summary: 'Asked.' } as const;
const QUESTION = { question: 'Which port?', options: [{ option: '80' }, { option: '8080', label: 'for development' }] };

/** A run whose agent can ask. */
async function anAskingRun(world: World) {
  const site = await aSteeredRun(world);
  const ask = (fields: Record<string, unknown> = {}) =>
    world.ask('ask_person', { ...QUESTION, wait_ms: 0, ...fields }, site.caller);
  return { ...site, ask };
}

describe('[L-STEER] ask_person', () => {
  it('shows the question to people, and answers open when nobody answers in time', async () => {
    await using world = await createWorld();
    const { ask, attempt_id, task_id } = await anAskingRun(world);

    const asked = await ask();

    expect(asked).toEqual({ approval_id: expect.any(String), status: 'open' });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({
      state: 'needs_you',
      approvals: [
        {
          approval_id: asked.approval_id,
          kind: 'question',
          question: 'Which port?',
          options: [
            { option: '80', name: '80', kind: 'allow_once' },
            { option: '8080', name: 'for development', kind: 'allow_once' },
          ],
        },
      ],
    });
    expect(await world.ask('get_task', { task_id })).toMatchObject({
      attempt_state: 'needs_you',
      questions: [{ approval_id: asked.approval_id, question: 'Which port?' }],
    });
    expect(JSON.stringify(await world.ask('tail_attempt', { attempt_id }))).toContain('Which port?');
  });

  it('lets no more than 50 calls of one caller wait, says so, asks nothing then, and lets others wait on', async () => {
    await using world = await createWorld();
    const { ask, caller, task_id } = await anAskingRun(world);
    const gone = new AbortController();
    const tool = world.gateway.find('ask_person', 'all');
    if (tool === undefined) throw new Error('no tool');
    const waiting = Array.from({ length: 50 }, () =>
      world.gateway.dispatch({ caller, tool, input: QUESTION, transport: 'rest', signal: gone.signal }),
    );
    await vi.waitFor(() => expect(world.waiting()).toBeGreaterThanOrEqual(50));

    const refused = await world.refuse('ask_person', { question: 'And which host?', wait_ms: 1_000 }, caller);
    const fromOther = world.ask('ask_person', { question: 'Mine?', task_id, wait_ms: 30_000 });
    const unheld = await ask({ question: 'Without waiting?' });

    expect(refused).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      message: expect.stringContaining('Too many'),
    });
    expect(unheld).toMatchObject({ status: 'open' });
    const { rows } = await world.ask('list_inbox', {});
    const texts = (rows as { text: string }[]).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(['Mine?', 'Which port?', 'Without waiting?']);
    await vi.waitFor(async () => {
      const [mine] = (rows as { text: string; approval_id: string }[]).filter(({ text }) => text === 'Mine?');
      await world.ask('respond_approval', { approval_id: mine?.approval_id, answer: 'Yes.' });
    });
    expect(await fromOther).toMatchObject({ status: 'answered', text: 'Yes.' });
    gone.abort();
    await Promise.all(waiting);
    expect(await ask({ question: 'Once more?', wait_ms: 1 })).toMatchObject({ status: 'open' });
  });

  it('answers as soon as a person has answered, and does not tell the answer again in a message', async () => {
    await using world = await createWorld();
    const { caller, hear, statuses, attempt_id } = await anAskingRun(world);
    const tool = world.gateway.find('ask_person', 'all');
    if (tool === undefined) throw new Error('no tool');
    const asking = world.gateway.dispatch({ caller, tool, input: QUESTION, transport: 'mcp-http', carries: true });
    await vi.waitFor(() => expect(world.waiting()).toBeGreaterThan(0));
    const { approvals } = await world.ask('get_attempt', { attempt_id });
    const [{ approval_id }] = approvals as [{ approval_id: string }];

    await world.ask('respond_approval', { approval_id, option: '8080' });

    const outcome = await asking;
    expect(outcome).toEqual({ ok: true, json: JSON.stringify({ approval_id, status: 'answered', option: '8080' }) });
    expect(await hear()).toEqual([]);
    await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered']));
  });

  it('gives the answer in a message of a later result, and to the same question again', async () => {
    await using world = await createWorld();
    const { ask, hear } = await anAskingRun(world);
    const { approval_id } = await ask();
    expect(await ask()).toEqual({ approval_id, status: 'open' });

    await world.ask('respond_approval', { approval_id, answer: 'Neither: 9000.' });

    expect(await ask()).toEqual({ approval_id, status: 'answered', text: 'Neither: 9000.' });
    expect(await hear()).toEqual([
      {
        message_id: expect.any(String),
        from: 'owner',
        text: 'Answer to “Which port?”: Neither: 9000.',
        at: expect.any(String),
      },
    ]);
    world.time.now += 1;
    await vi.waitFor(async () => {
      await hear();
      expect((await ask()).approval_id).not.toBe(approval_id);
    });
  });

  it('survives its run and a restart: the answer starts the next run, and the task waits in progress', async () => {
    await using world = await createWorld();
    const { ask, worker, run, attempt_id, task_id } = await anAskingRun(world);
    const { approval_id } = await ask();
    await worker.finish(run, COMPLETED, []);
    expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'inprogress' });
    const restarted = world.openGateway();
    const tool = restarted.find('respond_approval', 'all');
    if (tool === undefined) throw new Error('no tool');

    const input = { approval_id, option: '80' };
    const answered = await restarted.dispatch({ caller: world.owner, tool, input, transport: 'cli' });

    expect(answered.ok).toBe(true);
    const view = await world.ask('get_attempt', { attempt_id });
    const { execution_id, status } = view.run as { execution_id: string; status: string };
    expect(status).toBe('queued');
    const entry = await world.store.reads.queue.findForWorker(execution_id as RunId);
    expect(entry?.prompt).toBe('Answer to “Which port?”: 80');
    await restarted.close();
  });

  it('takes a question about a task alone, and answers it to every caller who asks again', async () => {
    await using world = await createWorld();
    const { task_id, project_id } = await anAskingRun(world);
    const { token } = await world.ask('admin_create_agent', {
      name: 'planner',
      project_ids: [project_id],
      scopes: ['board:read', 'board:write'],
    });
    // As the tool declares it.
    const planner = await world.gateway.authenticate(token as string);
    const ask = () => world.ask('ask_person', { question: 'Now or later?', task_id, wait_ms: 0 }, planner);
    const { approval_id } = await ask();

    const answered = await world.ask('respond_approval', { approval_id, answer: 'Later.' });

    expect(answered).toMatchObject({ attempt_id: null, status: 'approved' });
    expect(await ask()).toEqual({ approval_id, status: 'answered', text: 'Later.' });
    world.time.now += 25 * 60 * 60 * 1000;
    expect(await ask()).toMatchObject({ status: 'open' });
  });

  it('lets a person decline, and refuses to approve one of several options by chance', async () => {
    await using world = await createWorld();
    const { ask } = await anAskingRun(world);
    const { approval_id } = await ask();

    const vague = await world.refuse('respond_approval', { approval_id, decision: 'approve' });
    await world.ask('respond_approval', { approval_id, decision: 'deny' });

    expect(vague).toMatchObject({ code: 'validation_error', hint: expect.stringContaining('8080 (for development)') });
    expect(await ask()).toEqual({ approval_id, status: 'answered', text: 'No answer: decide by yourself.' });
  });

  it('expires when its task is completed, and says so to who waits and who answers', async () => {
    await using world = await createWorld();
    const { ask, task_id, attempt_id } = await anAskingRun(world);
    const { approval_id } = await ask();

    await world.ask('update_task', { task_id, status: 'done' });

    const late = await world.refuse('respond_approval', { approval_id, option: '80' });
    expect(late).toMatchObject({ code: 'conflict', message: expect.stringContaining('what it was about is over') });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ pending_approvals: 0 });
  });

  it('refuses more than 20 open questions, a task or attempt that is not the caller’s own, and neither of them', async () => {
    await using world = await createWorld();
    const { ask, start, caller } = await anAskingRun(world);
    for (let i = 0; i < 20; i++) await ask({ question: `Question ${i}?` });
    const { attempt_id: other } = await start();

    const refused = [
      await world.refuse('ask_person', { ...QUESTION, wait_ms: 0 }, caller),
      await world.refuse('ask_person', { ...QUESTION, wait_ms: 0, attempt_id: other }, caller),
      await world.refuse('ask_person', { ...QUESTION, wait_ms: 0 }),
    ];

    expect(refused.map(({ code }) => code)).toEqual(['conflict', 'not_found', 'validation_error']);
  });
});
