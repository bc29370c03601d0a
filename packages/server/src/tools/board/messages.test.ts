import { describe, expect, it, vi } from 'vitest';
import type { RunId } from '#domain/ids';
import { endingOf } from '#domain/run-machine';
import { createRunMessages } from '#services/runs/run-messages';
import { aSteeredRun } from '#testing/steered';
import { createWorld, type World } from '#testing/world';

const COMPLETED = { status: 'completed', reason: null, summary: 'Done.' } as const;
const FAILED = { status: 'failed', reason: 'exit 1' } as const;

const promptOf = async (world: World, execution_id: unknown) =>
  // The id of a run, from an answer.
  (await world.store.reads.queue.findForWorker(execution_id as RunId))?.prompt;

const runOf = async (world: World, attempt_id: string) =>
  // As `get_attempt` declares it.
  (await world.ask('get_attempt', { attempt_id })).run as { execution_id: string; status: string };

describe('[L-STEER] send_message', () => {
  it('waits for the agent that runs, and shows the message in the attempt and once in the feed', async () => {
    await using world = await createWorld();
    const { attempt_id, tell } = await aSteeredRun(world);

    const sent = await tell('Use the new API.');

    expect(sent).toEqual({ message_id: expect.any(String), status: 'queued' });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({
      messages: [{ message_id: sent.message_id, source: 'person', text: 'Use the new API.', status: 'queued' }],
    });
    const { entries } = await world.ask('tail_attempt', { attempt_id, wait_ms: 0 });
    expect(JSON.stringify(entries).split('Use the new API.')).toHaveLength(2);
  });

  it('becomes the next follow-up when the run ends first, before the follow-ups that wait', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, worker, run } = await aSteeredRun(world);
    await tell('First this.');
    await tell('Then that.');
    await world.ask('follow_up', { attempt_id, action: 'queue', prompt: 'And the docs.' });

    await worker.finish(run, COMPLETED, []);

    const next = await runOf(world, attempt_id);
    expect(await promptOf(world, next.execution_id)).toBe(
      'Message:\nFirst this.\n\nMessage:\nThen that.\n\nAnd the docs.',
    );
  });

  it('starts a run when none goes on, which delivers the words when its process begins; reports of its worker do not count as reading', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, worker, run, statuses } = await aSteeredRun(world);
    await worker.finish(run, COMPLETED, []);

    const sent = await tell('One more thing.');

    expect(await promptOf(world, sent.execution_id)).toBe('Message:\nOne more thing.');
    const next = await worker.take();
    const seen = [await statuses()];
    await worker.beginSpawn(next);
    seen.push(await statuses());
    await worker.log.write(next, [{ type: 'client', client: 'agent 1.0' }]);
    seen.push(await statuses());
    await worker.finish(next, FAILED, []);
    seen.push(await statuses());
    expect(seen).toEqual([['queued'], ['delivered'], ['delivered'], ['queued']]);
    expect(await runOf(world, attempt_id)).toMatchObject({ execution_id: sent.execution_id, status: 'failed' });
  });

  it('in the prompt of a run is read when its agent makes a call', async () => {
    await using world = await createWorld();
    const { tell, worker, run, statuses } = await aSteeredRun(world);
    await worker.finish(run, COMPLETED, []);
    await tell('One more thing.');
    const next = await worker.take();
    await worker.beginSpawn(next);
    world.time.now += 1;

    const tool = world.gateway.find('get_context', 'all');
    if (tool === undefined) throw new Error('no tool');
    const caller = await world.gateway.authenticate(next.secret);
    await world.gateway.dispatch({ caller, tool, input: {}, transport: 'rest', carries: true });

    await vi.waitFor(async () => expect(await statuses()).toEqual([]));
    await worker.finish(next, FAILED, []);
    expect(await statuses()).toEqual([]);
  });

  it('waits when its sender may not run agents, and joins the follow-up of one who may', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, run, statuses, project_id } = await aSteeredRun(world);
    await worker.finish(run, COMPLETED, []);
    const { token } = await world.ask('admin_create_agent', {
      name: 'reviewer',
      project_ids: [project_id],
      scopes: ['board:read', 'board:write'],
    });
    // As the tool declares it.
    const reviewer = await world.gateway.authenticate(token as string);

    const sent = await world.ask('send_message', { attempt_id, text: 'The name is wrong.' }, reviewer);

    expect(sent).not.toHaveProperty('execution_id');
    expect(await statuses()).toEqual(['queued']);
    const followed = await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });
    expect(await promptOf(world, followed.execution_id)).toBe('Message:\nThe name is wrong.\n\nGo on.');
  });

  it('starts and interrupts no agent for a token without board:run, even if its person may run agents', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, run } = await aSteeredRun(world);
    const { token } = await world.ask('admin_create_token', {
      kind: 'user',
      name: 'notes',
      scopes: ['board:read', 'board:write'],
    });
    // As the tool declares it.
    const writer = await world.gateway.authenticate(token as string);

    const refused = await world.refuse('send_message', { attempt_id, text: 'Stop.', interrupt: true }, writer);
    await worker.finish(run, COMPLETED, []);
    const sent = await world.ask('send_message', { attempt_id, text: 'Run this.' }, writer);

    expect(refused.code).toBe('insufficient_scope');
    expect(sent).not.toHaveProperty('execution_id');
  });

  it('starts no run at the end of another for a token without board:run of a person who may run agents, and says so', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, run, statuses } = await aSteeredRun(world);
    const { token } = await world.ask('admin_create_token', {
      kind: 'user',
      name: 'notes',
      scopes: ['board:read', 'board:write'],
    });
    // As the tool declares it.
    const writer = await world.gateway.authenticate(token as string);

    const sent = await world.ask('send_message', { attempt_id, text: 'Run this.' }, writer);
    await worker.finish(run, COMPLETED, []);

    expect(sent).toMatchObject({ status: 'queued', note: expect.stringContaining('board:run') });
    expect(await runOf(world, attempt_id)).toMatchObject({ execution_id: run.execution_id });
    expect(await statuses()).toEqual(['queued']);
    const followed = await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Go on.' });
    expect(await promptOf(world, followed.execution_id)).toBe('Message:\nRun this.\n\nGo on.');
  });

  it('is read when the run that it was given to completes', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, hear, worker, run, statuses } = await aSteeredRun(world);
    await tell('Now.');
    await hear();
    await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered']));

    await worker.finish(run, COMPLETED, []);

    expect(await statuses()).toEqual([]);
    expect(await runOf(world, attempt_id)).toMatchObject({ execution_id: run.execution_id });
  });

  it('waits again when the run fails before its agent went on, starts no run by itself, and joins the next', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, hear, worker, run, statuses } = await aSteeredRun(world);
    await tell('Now.');
    await hear();
    await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered']));

    await worker.finish(run, FAILED, []);

    expect(await statuses()).toEqual(['queued']);
    expect(await runOf(world, attempt_id)).toMatchObject({ execution_id: run.execution_id });
    const followed = await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Again.' });
    expect(await promptOf(world, followed.execution_id)).toBe('Message:\nNow.\n\nAgain.');
  });

  it('starts no run after run when the prompt that holds it fails at once', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, worker, run, statuses } = await aSteeredRun(world);
    await tell('Now.');
    await worker.finish(run, COMPLETED, []);
    const next = await worker.take();
    await worker.beginSpawn(next);

    await worker.finish(next, FAILED, []);

    expect(await runOf(world, attempt_id)).toMatchObject({ execution_id: next.execution_id, status: 'failed' });
    expect(await statuses()).toEqual(['queued']);
  });

  it('is taken back by stop_attempt', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, worker, run, statuses } = await aSteeredRun(world);
    await tell('Now.');

    await world.ask('stop_attempt', { attempt_id });
    await worker.finish(run, { status: 'killed', reason: 'stopped' }, []);

    expect(await statuses()).toEqual([]);
    expect(await runOf(world, attempt_id)).toMatchObject({ execution_id: run.execution_id });
  });

  it('is taken back by stop_attempt when the agent was given it, and does not come again', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, worker, run } = await aSteeredRun(world);
    await worker.finish(run, COMPLETED, []);
    await tell('Do this.');
    const next = await worker.take();
    await worker.beginSpawn(next);

    await world.ask('stop_attempt', { attempt_id });
    await worker.finish(next, { status: 'killed', reason: 'stopped' }, []);

    const followed = await world.ask('follow_up', { attempt_id, action: 'send', prompt: 'Rather that.' });
    expect(await promptOf(world, followed.execution_id)).toBe('Rather that.');
  });

  it('is read at the end of the turn that it was given to, and taken for the next turn in one step', async () => {
    await using world = await createWorld();
    const { tell, worker, run, statuses } = await aSteeredRun(world);
    const messages = createRunMessages(world.store, world.ids);
    await tell('First.');
    const first = await messages.afterTurn(run);
    await tell('Second.');

    const second = await messages.afterTurn(run);

    expect([first, second]).toEqual(['Message:\nFirst.', 'Message:\nSecond.']);
    expect(await statuses()).toEqual(['delivered']);
    await worker.finish(run, FAILED, []);
    expect(await statuses()).toEqual(['queued']);
  });

  it('that came too late for the turn that it was to cut waits again, and starts the next run', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, run } = await aSteeredRun(world);
    const messages = createRunMessages(world.store, world.ids);
    await world.ask('send_message', { attempt_id, text: 'Not that!', interrupt: true });

    const taken = await messages.cut(run);
    await messages.giveBack(run, taken?.message_ids ?? []);
    await worker.finish(run, COMPLETED, []);

    const next = await runOf(world, attempt_id);
    expect(taken?.text).toBe('Message:\nNot that!');
    expect(await promptOf(world, next.execution_id)).toBe('Message:\nNot that!');
  });

  it('refuses more than 100 messages that nobody has read, and changes nothing', async () => {
    await using world = await createWorld();
    const { attempt_id, tell, statuses } = await aSteeredRun(world);
    for (let i = 0; i < 100; i++) await tell(`Message ${i}`);

    const refused = await world.refuse('send_message', { attempt_id, text: 'One more.' });

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('100') });
    expect(await statuses()).toHaveLength(100);
  });

  it('refuses an attempt that is merged, an unknown one, and words that nobody can see', async () => {
    await using world = await createWorld();
    const { attempt_id } = await aSteeredRun(world);
    const blank = await world.refuse('send_message', { attempt_id, text: ' \u200b ' });
    const unknown = await world.refuse('send_message', {
      attempt_id: 'ffffffff-0000-7000-8000-000000000000',
      text: 'Hi',
    });
    await world.store.transaction(async (tx) => {
      const attempt = await tx.attempts.find(
        { workspace_id: world.owner.workspace_id, project_ids: 'all' },
        attempt_id,
      );
      if (attempt !== null) await tx.attempts.update({ ...attempt, merged_at: tx.now });
    });

    const merged = await world.refuse('send_message', { attempt_id, text: 'Hi' });

    expect([blank.code, unknown.code, merged.code]).toEqual(['validation_error', 'not_found', 'conflict']);
    expect(merged.hint).toContain('start_task_attempt');
  });

  it('stops a run whose executor cannot be interrupted, and the next run gets the message', async () => {
    await using world = await createWorld();
    const { attempt_id, worker, run } = await aSteeredRun(world);
    const messages = createRunMessages(world.store, world.ids);
    await world.ask('send_message', { attempt_id, text: 'Later.' });
    const before = await messages.cannotWait(run.attempt);
    await world.ask('send_message', { attempt_id, text: 'Not that file!', interrupt: true });

    const after = await messages.cannotWait(run.attempt);
    await messages.stopForMessages(run);
    const [stop] = await worker.toStop('worker-1');
    await worker.finish(run, endingOf(COMPLETED, { early_end: stop?.why ?? null, is_committed: true }), []);

    expect([before, after]).toEqual([false, true]);
    expect(stop).toEqual({ execution_id: run.execution_id, why: 'steered' });
    const next = await runOf(world, attempt_id);
    expect(await promptOf(world, next.execution_id)).toBe('Message:\nLater.\n\nMessage:\nNot that file!');
  });
});
