import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBoardOf } from '#testing/board';
import { createTracker } from '#testing/tracker';
import { createWorld } from '#testing/world';
import { catalog, type Tool } from '#tools/catalog';
import { defineTool } from '#tools/define';

const FIELDS = {
  title: 'Ask',
  description: 'Asks.',
  effect: 'create',
  input: z.object({ text: z.string().describe('What to ask.') }),
} as const;

const asTool = (definition: ReturnType<typeof defineTool>): Tool =>
  ({ ...definition, profile: 'board', full_name: definition.name }) as Tool;

/** A tool that people need `board:write` for, and agents within an attempt `board:read`. */
const ask = defineTool({
  ...FIELDS,
  name: 'ask',
  scope: 'board:write',
  for_attempts: 'board:read',
  route: 'POST /asked',
  output: z.object({ projects: z.int().describe('Projects within reach.') }),
  run: async ({ work: { within } }) => ({ projects: within.project_ids === 'all' ? -1 : within.project_ids.length }),
});

/** Reads what is committed, as another call does. */
let committed: (setting: string) => Promise<string | null>;

/** A tool that waits outside of transactions. */
const wait = defineTool({
  ...FIELDS,
  name: 'wait',
  scope: 'board:write',
  outside: true,
  route: 'POST /waited',
  output: z.object({ seen: z.string().nullable().describe('What was written before the wait.') }),
  run: async ({ input, work }) => {
    await work.transaction((tx) => tx.settings.put('waited', input.text));
    return { seen: await committed('waited') };
  },
});

/** A tool that reads before its transaction. */
const plan = defineTool({
  ...FIELDS,
  name: 'plan',
  scope: 'board:write',
  route: 'POST /planned',
  output: z.object({ before: z.string().describe('What was prepared.') }),
  prepare: async ({ input, work }) => `${input.text} of ${(await work.tx.workspaces.first())?.name}`,
  run: async ({ prepared }) => ({ before: prepared }),
});

const TOOLS = [ask, wait, plan].map((tool) => asTool(tool as never));

describe('a tool for callers within an attempt', () => {
  it('needs its other scope of them, sees their project with it, and keeps its own scope for the rest', async () => {
    await using world = await createWorld({ tools: [...catalog, ...TOOLS] });
    const tracker = createTracker(world);
    const project_id = await tracker.project();
    const board = createBoardOf(world, project_id);
    const bound = await board.within(await board.attempt(await board.task()));
    const reader = await tracker.agent({ projects: [project_id], scopes: ['board:read'] });

    const names = (caller: typeof bound) => world.gateway.visible(caller, 'board').map(({ full_name }) => full_name);

    expect(await world.ask('ask', { text: 'x' }, bound)).toEqual({ projects: 1 });
    expect(names(bound)).toContain('ask');
    expect(names(bound)).not.toContain('wait');
    expect(await world.refuse('ask', { text: 'x' }, reader)).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'board:write' },
    });
    expect(await world.ask('ask', { text: 'x' })).toEqual({ projects: -1 });
  });
});

it('a tool that waits outside of transactions opens short ones of its own, and is repeated by its key', async () => {
  await using world = await createWorld({ tools: [...catalog, ...TOOLS] });

  committed = world.store.reads.settings.get;
  const first = await world.ask('wait', { text: 'a', idempotency_key: 'k' });
  await world.store.transaction((tx) => tx.settings.put('waited', 'b'));

  expect(first).toEqual({ seen: 'a' });
  expect(await world.ask('wait', { text: 'a', idempotency_key: 'k' })).toEqual({ seen: 'a' });
});

it('a tool gets what it has read before its transaction', async () => {
  await using world = await createWorld({ tools: [...catalog, ...TOOLS] });
  const workspace = await world.store.reads.workspaces.first();

  expect(await world.ask('plan', { text: 'task' })).toEqual({ before: `task of ${workspace?.name}` });
});
