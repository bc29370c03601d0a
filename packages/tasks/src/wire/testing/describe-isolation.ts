import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTasks } from '#create-tasks';
import { encodeCursor } from '#cursor';
import { RpcFailure } from '#rpc-failure';
import type { TaskStore } from '#store';
import type { TaskHandler } from '#tasks';
import { createTaskMethods2025 } from '#wire/rev-2025-11-25/methods';
import { declareTasks } from '#wire/rev-2026-07-28/extension';
import { createTaskMethods2026 } from '#wire/rev-2026-07-28/methods';
import { aQuestion } from './any-record.ts';

export interface IsolationStore {
  readonly store: TaskStore;
  /** Advances the store's clock. */
  readonly pass: (ms: number) => Promise<void>;
}

const SHORT_TTL_MS = 1_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const alice = { subject: 'alice' };
const bob = { subject: 'bob' };

const ask: TaskHandler = async ({ requireInput }) => ({ content: [], answer: await requireInput('city', aQuestion()) });

/** Prints what a client sees of a method's answer. Equal texts mean that the client cannot see a difference. */
async function seen(answer: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify({ result: await answer });
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const { code, message, data } = error;
    return JSON.stringify({ error: { code, message, data } });
  }
}

/** Tests that another owner's task, an unknown one and an expired one look the same in every method. */
export function describeIsolation(name: string, open: () => Promise<IsolationStore>): void {
  async function openWorld() {
    const { store, pass } = await open();
    const tasks = createTasks({ store, tools: { ask }, poll_interval_ms: 20 });
    const methods2025 = createTaskMethods2025({ tasks });
    const methods2026 = createTaskMethods2026({ tasks });
    const create = (owner: string, ttl_ms?: number) =>
      tasks.create({ owner_id: `sub:${owner}`, tool: 'ask', arguments: {}, ttl_ms });
    return { tasks, pass, methods2025, methods2026, create };
  }

  type World = Awaited<ReturnType<typeof openWorld>>;

  async function openForTest(): Promise<World> {
    const world = await openWorld();
    onTestFinished(() => world.tasks.close({ grace_ms: 0 }));
    return world;
  }

  const inputResponses = { city: { action: 'decline' } };
  const asBob = (taskId: string) => ({ params: { taskId, inputResponses }, requestor: bob });
  const asBob2026 = (taskId: string) => ({ ...asBob(taskId), client_capabilities: declareTasks() });

  const METHODS: Readonly<Record<string, (world: World, task_id: string) => Promise<unknown>>> = {
    'tasks/get of 2025': ({ methods2025 }, id) => methods2025.get(asBob(id)),
    'tasks/result of 2025': ({ methods2025 }, id) => methods2025.result(asBob(id)),
    'tasks/cancel of 2025': ({ methods2025 }, id) => methods2025.cancel(asBob(id)),
    'a response of 2025': ({ methods2025 }, id) =>
      methods2025.answer({ id: `task-input:${id}:city`, result: inputResponses.city }, bob),
    'tasks/get of 2026': ({ methods2026 }, id) => methods2026.get(asBob2026(id)),
    'tasks/update of 2026': ({ methods2026 }, id) => methods2026.update(asBob2026(id)),
    'tasks/cancel of 2026': ({ methods2026 }, id) => methods2026.cancel(asBob2026(id)),
    'subscriptions/listen of 2026': ({ methods2026 }, id) =>
      methods2026.subscribe({ ...asBob2026(id), params: { notifications: { taskIds: [id] } } }),
  };

  describe(`isolation: ${name}`, () => {
    describe('of a foreign, an expired and an unknown task', () => {
      let world: World;
      let foreign = '';
      let expired = '';
      // Once for all methods: a store with a real clock needs a second for the expiry.
      beforeAll(async () => {
        world = await openWorld();
        foreign = (await world.create('alice')).task_id;
        expired = (await world.create('bob', SHORT_TTL_MS)).task_id;
        await world.pass(SHORT_TTL_MS + 1);
      });
      afterAll(() => world.tasks.close({ grace_ms: 0 }));

      it.each(Object.entries(METHODS))(
        '[O2, T6, SEC-02, TEST-06] tells a foreign, an expired and an unknown task apart in no byte of %s',
        async (_method, call) => {
          const unknown = await seen(call(world, UNKNOWN));

          expect(await seen(call(world, foreign))).toBe(unknown);
          expect(await seen(call(world, expired))).toBe(unknown);
        },
      );
    });

    it.each(Object.entries(METHODS))('[O2, SEC-02] leaves a foreign task as it is in %s', async (_method, call) => {
      const world = await openForTest();
      const { task_id } = await world.create('alice');
      await waitFor(async () => (await world.tasks.get('sub:alice', task_id)).status === 'input_required');
      const before = await world.tasks.get('sub:alice', task_id);

      await seen(call(world, task_id));

      expect(await world.tasks.get('sub:alice', task_id)).toEqual(before);
    });

    it('[O2, A5, SEC-03, INTG-07] lists only the requestor’s tasks, and refuses the cursor of another', async () => {
      const { methods2025, create } = await openForTest();
      const foreign = await create('alice');
      const own = await create('bob');

      const listed = await methods2025.list({ params: {}, requestor: bob });
      const cursors = [encodeCursor('sub:alice', foreign), encodeCursor('sub:alice', own), 'no-cursor'];
      const refused = await Promise.all(
        cursors.map((cursor) => seen(methods2025.list({ params: { cursor }, requestor: bob }))),
      );

      expect(listed.tasks.map(({ taskId }) => taskId)).toEqual([own.task_id]);
      expect(new Set(refused).size).toBe(1);
      expect(refused[0]).toContain('"code":-32602');
    });

    it('[O1, O2] distinguishes a subject, a client and a session of the same name', async () => {
      const { methods2025, create } = await openForTest();
      const { task_id } = await create('alice');
      const params = { taskId: task_id };

      const own = await seen(methods2025.get({ params, requestor: alice }));
      const client = await seen(methods2025.get({ params, requestor: { client_id: 'alice' } }));

      expect(own).toContain(task_id);
      expect(client).toBe('{"error":{"code":-32602,"message":"Task not found."}}');
    });
  });
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}
