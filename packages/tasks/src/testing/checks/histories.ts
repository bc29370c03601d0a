import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { TaskStore } from '#store';
import type { TaskRecord } from '#task';
import { nextOf, requestFor, taskIn } from '#testing/a-task';
import { openPair, type StoreCheck, turns } from '#testing/check';
import { createHistory, record } from '#testing/history';
import { violationsOf } from '#testing/linear';

const RUNS = 4;
const CLIENTS = 8;
const STEPS = 15;
const TASKS = 2;

const ACTS = ['insert', 'get', 'write', 'write', 'release', 'claim', 'list'] as const;

interface Move {
  readonly act: (typeof ACTS)[number];
  readonly task: number;
}

const moves = fc.array(
  fc.array(fc.record({ act: fc.constantFrom(...ACTS), task: fc.nat(TASKS - 1) }), {
    minLength: STEPS,
    maxLength: STEPS,
  }),
  { minLength: CLIENTS, maxLength: CLIENTS },
);

/** Runs the moves one after another. Each starts from the last record that the client saw, which may be outdated. */
async function play(client: string, store: TaskStore, tasks: readonly TaskRecord[], plan: readonly Move[]) {
  const known = new Map<string, TaskRecord>(tasks.map((task) => [task.task_id, task]));
  const learn = (seen: TaskRecord | null): unknown => seen && known.set(seen.task_id, seen);
  const write = async (draft: TaskRecord): Promise<void> => {
    const answer = await store.replace(draft);
    learn(answer.ok ? draft : answer.current);
  };

  for (const [i, { act, task }] of plan.entries()) {
    const seen = known.get(tasks[task]?.task_id ?? '');
    if (!seen) continue;
    const { owner_id, task_id, request } = seen;
    const status_message = `${client}, step ${i}`;
    if (act === 'insert') await store.insert({ ...seen, version: 1, epoch: 0, lease: null, status_message }, 1_000);
    if (act === 'get') learn(await store.get(owner_id, task_id));
    if (act === 'write') await write(nextOf(seen, { status_message }));
    if (act === 'release') await write(nextOf(seen, { status_message, lease: null }));
    if (act === 'list') for (const listed of await store.list(owner_id, null, 10)) learn(listed);
    if (act === 'claim') {
      // Leases of one millisecond: most have expired when the next claim comes.
      const claim = { worker_id: client, tools: [request.tool], lease_ms: 1, limit: 1 };
      for (const claimed of await store.claim(claim)) learn(claimed);
    }
  }
}

/** Rule S13: linearizability. All observed answers must fit one order. */
export const HISTORIES: readonly StoreCheck[] = [
  {
    title: '[S13] answers parallel clients as if they came one after another',
    run: async (setup) => {
      await using pair = await openPair(setup);

      // A plan does not repeat its race, so shrinking the plan proves nothing.
      const options = { numRuns: RUNS, endOnFailure: true };
      const property = fc.asyncProperty(moves, async (plans) => {
        const history = createHistory();
        const recorded = [record(pair[0], history), record(pair[1], history)] as const;
        const run = randomUUID();
        const identity = { owner_id: `sub:${run}`, request: requestFor(`tool-${run}`) };
        const tasks = Array.from({ length: TASKS }, () => taskIn(pair[0], identity));

        await Promise.all(plans.map((plan, i) => play(`client-${i}`, turns(recorded, i), tasks, plan)));

        expect(violationsOf(history)).toStrictEqual([]);
        expect(history.operations.length).toBeGreaterThan(CLIENTS * STEPS * 0.5);
      });
      await fc.assert(property, options);
    },
  },
  {
    title: '[S13] replaces a task that is being inserted, or reports it as missing',
    run: async (setup) => {
      await using pair = await openPair(setup);
      const owner_id = `sub:${randomUUID()}`;

      for (let i = 0; i < 50; i += 1) {
        const task = taskIn(pair[0], { owner_id });
        const drafts = Array.from({ length: 4 }, (_, n) => nextOf(task, { status_message: `draft ${n}` }));
        const [inserted, ...answers] = await Promise.all([
          pair[0].insert(task, 1_000),
          ...drafts.map((draft) => pair[1].replace(draft)),
        ]);

        expect(inserted).toBe('inserted');
        for (const answer of answers) if (!answer.ok) expect(answer.current?.version).not.toBe(task.version);
      }
    },
  },
];
