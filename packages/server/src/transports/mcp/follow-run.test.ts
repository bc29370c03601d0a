import type { JsonObject, TaskContext } from '@errand/tasks';
import { expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';
import { followRun, STOPPING } from './follow-run.ts';

/** Makes a call whose run has ended, and a task for it with these variables. */
async function aFollowing(world: World, variables: JsonObject) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const json = JSON.stringify(await board.start());
  await worker.finish(await worker.take(), { status: 'killed', reason: 'stopped' }, []);
  const tool = world.gateway.find('start_task_attempt', 'board');
  if (tool === undefined) throw new Error('no tool');
  const over = new AbortController();
  const written: string[] = [];
  // The part of the task context that the work uses while no question is open.
  const task = {
    signal: over.signal,
    setVariables: async () => {},
    setStatusMessage: async () => {},
    getVariable: (name: string) => variables[name],
    setVariable: async (name: string) => {
      written.push(name);
      // The task is cancelled at this moment.
      queueMicrotask(() => over.abort());
    },
  } as unknown as TaskContext;
  const call = { tool, json, transport: 'mcp-http', who: async () => world.owner } as const;
  const settle = () => Promise.reject(new Error('nothing is asked'));
  return { written, follow: () => followRun({ gateway: world.gateway, settle, task, call }) };
}

it('a task whose run was stopped by cancelling it is left to be cancelled', async () => {
  await using world = await createWorld();
  const { follow, written } = await aFollowing(world, { [STOPPING]: true });

  await expect(follow()).rejects.toMatchObject({ name: 'AbortError' });

  expect(written).toEqual(['_is_over']);
});

it('a task whose run was stopped otherwise ends with it', async () => {
  await using world = await createWorld();
  const { follow } = await aFollowing(world, {});

  expect(await follow()).toMatchObject({ failed: true });
});
