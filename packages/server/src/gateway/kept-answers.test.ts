import { describe, expect, it } from 'vitest';
import type { UserId } from '#domain/ids';
import type { Store } from '#store/store';
import { createWorld } from '#testing/world';
import { createKeptAnswers } from './kept-answers.ts';

/** The product in memory, with the number of reads of todo lists. */
async function countedWorld() {
  const world = await createWorld();
  const { workItems } = world.store.reads;
  let reads = 0;
  const store: Store = {
    ...world.store,
    reads: {
      ...world.store.reads,
      workItems: {
        ...workItems,
        todos: (...asked) => {
          reads += 1;
          return workItems.todos(...asked);
        },
      },
    },
  };
  const gateway = world.openGateway(store);
  const titles = async (caller = world.owner, input: Record<string, unknown> = {}): Promise<readonly unknown[]> => {
    const tool = gateway.find('todo_list_tasks', 'all');
    if (tool === undefined) throw new Error('The tool is missing.');
    const asked = { caller, tool, input: { user_id: caller.user_id, ...input }, transport: 'mcp-http' } as const;
    const outcome = await gateway.dispatch(asked);
    if (!outcome.ok) return [outcome.error.code];
    return (JSON.parse(outcome.json) as { tasks: { title: string }[] }).tasks.map(({ title }) => title);
  };
  return {
    world,
    titles,
    reads: () => reads,
    add: (title: string) => world.ask('todo_add_task', { user_id: world.owner.user_id, title }),
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

describe('an answer that is asked for again', () => {
  it('is given without reading, and stored in the conversation each time', async () => {
    await using counted = await countedWorld();
    const { world, titles, add, reads } = counted;
    await add('one');

    const answers = [await titles(), await titles(), await titles()];

    expect(answers).toEqual([['one'], ['one'], ['one']]);
    expect(reads()).toBe(1);
    await expect
      .poll(async () => {
        const { conversations } = await world.ask('todo_list_conversations', { user_id: world.owner.user_id });
        const [{ conversation_id }] = conversations as [{ conversation_id: string }];
        const { messages } = await world.ask('todo_list_messages', {
          user_id: world.owner.user_id,
          conversation_id,
        });
        return (messages as { content: string }[]).filter(({ content }) => content.startsWith('list_tasks')).length;
      })
      .toBe(3);
  });

  it('is read again after any write', async () => {
    await using counted = await countedWorld();
    const { titles, add } = counted;
    await add('one');
    await titles();

    await add('two');

    expect(await titles()).toEqual(['one', 'two']);
  });

  it('is not kept when something is written while it is read', async () => {
    await using counted = await countedWorld();
    const { titles, add } = counted;
    await add('one');

    await Promise.all([titles(), add('two'), titles(), add('three'), titles()]);

    expect(await titles()).toEqual(['one', 'two', 'three']);
  });

  it('belongs to its caller and to its arguments', async () => {
    await using counted = await countedWorld();
    const { world, titles, add } = counted;
    await add('one');
    const ann = await world.callerWith({ user_id: await world.addUser('Ann') });
    await titles();

    const others = [await titles(ann), await titles(ann, { user_id: world.owner.user_id })];
    const completed = await titles(world.owner, { status: 'completed' });

    expect(others).toEqual([[], ['UNAUTHORIZED']]);
    expect(completed).toEqual([]);
  });

  it('makes room for others when too many are kept', async () => {
    await using world = await createWorld();
    const tool = world.gateway.find('todo_list_tasks', 'all');
    if (tool === undefined) throw new Error('The tool is missing.');
    const keepingOf = createKeptAnswers(() => 1);
    const of = (limit: number) => keepingOf({ caller: world.owner, tool, input: { limit }, transport: 'rest' });
    const fill = (limit: number) => of(limit)?.keep({ json: `{"n":${limit}}`, exchange: null, named: 'me' as UserId });

    fill(0);
    const kept = of(0)?.kept?.answer;
    for (let limit = 1; limit <= 2_000; limit += 1) fill(limit);

    expect(kept).toEqual({ ok: true, json: '{"n":0}', quoted: '"{\\"n\\":0}"' });
    expect(of(0)?.kept).toBeUndefined();
    expect(of(2_000)?.kept?.answer.json).toBe('{"n":2000}');
  });

  it('is not kept for arguments too long to be compared', async () => {
    await using world = await createWorld();
    const tool = world.gateway.find('todo_list_tasks', 'all');
    if (tool === undefined) throw new Error('The tool is missing.');
    const keepingOf = createKeptAnswers(() => 1);

    expect(
      keepingOf({ caller: world.owner, tool, input: { cursor: 'x'.repeat(1_001) }, transport: 'rest' }),
    ).toBeNull();
  });
});
