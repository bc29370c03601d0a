import { flushCompileCache } from 'node:module';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskContext } from '../../../packages/tasks/src/context.ts';
import { createTasks } from '../../../packages/tasks/src/create-tasks.ts';
import type { TaskRecord } from '../../../packages/tasks/src/task.ts';
import type { Tasks, TaskTool } from '../../../packages/tasks/src/tasks.ts';
import { ARGUMENTS, deployTool, type Effect } from './deploy.ts';
import { openJournal } from './journal.ts';
import { openPlace } from './place.ts';
import { PLANTS, type PlantedFault } from './plants.ts';
import { type Point, watchedStore } from './watched-store.ts';
import type { Order, Saying, Word } from './worker-process.ts';

const PACE_MS = 10;

const say = (saying: Saying): Promise<void> => new Promise((resolve) => process.send?.(saying, () => resolve()));

let goOn = Promise.withResolvers<void>();
/** The tester must know the id of a task before its worker is killed. */
let announced = Promise.resolve();
let tasks: Tasks | undefined;
let isClaiming = false;

async function open({ place, journal: path, worker, poll_interval_ms, at, plant, deaf }: Order): Promise<Tasks> {
  const journal = openJournal(path);
  const fault: PlantedFault = plant === undefined ? {} : PLANTS[plant];
  const stopped = new Set<string>();

  const reach = async (point: Point, { owner_id, epoch }: Pick<TaskRecord, 'owner_id' | 'epoch'>): Promise<void> => {
    // Pause or kill only the first time: a second attempt must visibly fail.
    if (at?.point !== point || stopped.has(owner_id)) return;
    if (at.act !== 'wait') {
      journal.add({ kind: 'gone', owner_id, epoch });
      stopped.add(owner_id);
    }
    if (at.act !== 'SIGKILL') await say({ what: 'reached', about: owner_id });
    if (at.act === 'wait') await goOn.promise;
    else process.kill(process.pid, at.act);
  };

  const effectOf =
    ({ owner_id, attempt: epoch }: TaskContext): Effect =>
    async (step) => {
      await sleep(PACE_MS);
      await reach(`${step}: before effect`, { owner_id, epoch });
      journal.add({ kind: 'effect', owner_id, epoch, step });
      await reach(`${step}: after effect`, { owner_id, epoch });
    };
  const honest: TaskTool = {
    run: async (task) => {
      await announced;
      return await deployTool(effectOf(task)).run(task);
    },
  };

  const opened = await openPlace(place);
  const watched = watchedStore(fault.store?.(opened) ?? opened, {
    journal,
    reach,
    onTried: ({ owner_id }) => {
      if (stopped.has(owner_id)) void say({ what: 'tried', about: owner_id });
    },
  });
  const store = {
    ...watched,
    claim: async (claim: Parameters<typeof watched.claim>[0]) => (isClaiming ? watched.claim(claim) : []),
    ...(deaf && { subscribe: () => () => undefined }),
  };
  return createTasks({ store, tools: { deploy: fault.tool?.(honest) ?? honest }, worker, poll_interval_ms });
}

async function create(owner_id: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  announced = promise;
  const task = await tasks?.create({ owner_id, tool: 'deploy', arguments: ARGUMENTS });
  await say({ what: 'created', about: task?.task_id ?? '' });
  resolve();
}

process.on('message', async (word: Word) => {
  if (word === 'go on') {
    goOn.resolve();
    goOn = Promise.withResolvers();
  } else if ('open' in word) {
    isClaiming = word.open.claims;
    tasks = await open(word.open);
    // A worker that is killed later would not write it.
    flushCompileCache();
    await say({ what: 'opened', about: '' });
  } else if ('claims' in word) {
    isClaiming = word.claims;
    await say({ what: 'obeyed', about: '' });
  } else await create(word.create);
});
// A worker whose tester has ended must end too.
process.on('disconnect', () => process.exit());
