import { describe, expect, it, vi } from 'vitest';
import { aSteeredRun } from '#testing/steered';
import { createWorld } from '#testing/world';

const texts = (messages: readonly { readonly text: string }[]): readonly string[] => messages.map(({ text }) => text);

describe('[L-STEER] messages in the answers to an agent', () => {
  it('come with its next call, in order, then count as delivered, and as read after the call that follows', async () => {
    await using world = await createWorld();
    const { tell, hear, statuses } = await aSteeredRun(world);
    const first = await tell('Use the new API.');
    await tell('And write a test.');

    const heard = await hear();

    expect(heard).toEqual([
      { message_id: first.message_id, from: 'owner', text: 'Use the new API.', at: expect.any(String) },
      { message_id: expect.any(String), from: 'owner', text: 'And write a test.', at: expect.any(String) },
    ]);
    await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered', 'delivered']));
    expect(await hear()).toEqual([]);
    await vi.waitFor(async () => expect(await statuses()).toEqual([]));
  });

  it('come again from another process when the first was killed before it could write that they were delivered', async () => {
    await using world = await createWorld();
    const { tell, hear, callFrom } = await aSteeredRun(world);
    await tell('Stop using eval.');
    const killed = world.openGateway();

    const lost = await callFrom(killed);
    const again = await hear();

    expect(again).toEqual(lost);
    expect(texts(again)).toEqual(['Stop using eval.']);
    await killed.close();
  });

  it('come again when the caller hung up before it had the answer', async () => {
    await using world = await createWorld();
    const { tell, hear, statuses } = await aSteeredRun(world);
    await tell('Look at the log.');
    const gone = new AbortController();

    const lost = await hear({ signal: gone.signal });
    gone.abort();
    await vi.waitFor(async () => expect(texts(await hear())).toEqual(texts(lost)));

    await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered']));
  });

  it('come once to parallel calls, and no later one overtakes an earlier one', async () => {
    await using world = await createWorld();
    const { tell, hear } = await aSteeredRun(world);
    await tell('One.');

    const both = await Promise.all([hear(), hear(), tell('Two.').then(() => hear())]);

    expect(both.flat().map(({ text }) => text)).toEqual(['One.']);
    expect(texts(await hear())).toEqual(['Two.']);
  });

  it('are at most 4,000 characters an answer, and at least one message', async () => {
    await using world = await createWorld();
    const { tell, hear } = await aSteeredRun(world);
    for (const letter of ['a', 'b', 'c', 'd']) await tell(letter.repeat(letter === 'a' ? 9_000 : 1_900));

    const answers = [texts(await hear()), texts(await hear()), texts(await hear())];

    expect(answers.map((each) => each.map((text) => text[0]).join(''))).toEqual(['a', 'bc', 'd']);
  });

  it('come to the agent of their attempt alone, and to transports that show them', async () => {
    await using world = await createWorld();
    const { tell, caller, board } = await aSteeredRun(world).then((run) => ({ ...run, board: run }));
    await tell('Only for you.');
    const tool = world.gateway.find('get_context', 'all');
    if (tool === undefined) throw new Error('no tool');
    await board.start();
    const other = await board.worker.take();
    const dispatch = (of: typeof caller, carries: boolean) =>
      world.gateway.dispatch({ caller: of, tool, input: {}, transport: 'rest', carries });

    const answers = [
      await dispatch(await world.gateway.authenticate(other.secret), true),
      await dispatch(world.owner, true),
      await dispatch(caller, false),
    ];

    for (const answer of answers) expect(answer).not.toHaveProperty('messages');
    expect(await dispatch(caller, true)).toHaveProperty('messages');
  });

  it('do not hide a field of the answer that has their name', async () => {
    await using world = await createWorld();
    const { tell, hear, attempt_id } = await aSteeredRun(world);
    await tell('Wait.');

    expect(await hear({ name: 'get_attempt', input: { attempt_id } })).toEqual([]);
    expect(texts(await hear())).toEqual(['Wait.']);
  });
});
