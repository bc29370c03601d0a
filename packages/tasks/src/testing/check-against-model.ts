import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import type { TaskStore } from '#store';
import { isExpired, isTerminal, type TaskRecord } from '#task';
import { aTask, requestFor } from './a-task.ts';
import { claimAll, openPair, passTime, type StoreSetup, turns } from './check.ts';
import { type Change, type Command, command } from './commands.ts';
import { createModel, type Model } from './model.ts';

const COMMANDS_PER_RUN = 100;
const LONG_MS = 3_600_000;
const ALL = 1_000;

export interface ModelRunOptions {
  readonly commands: number;
  /** Give the seed of a failed run to repeat it; random unless given. */
  readonly seed?: number | undefined;
}

/**
 * Gives a store random commands, and compares each answer with the model's. Rejects with the seed and the commands when
 * an answer differs, else resolves to the number of commands.
 */
export async function checkAgainstModel(setup: StoreSetup, { commands, seed }: ModelRunOptions): Promise<number> {
  let executed = 0;
  const property = fc.asyncProperty(program(), async (steps) => {
    await using pair = await openPair(setup);
    const run = createRun(setup, pair[0]);
    for (const [i, step] of steps.entries()) {
      await run.execute(step, turns(pair, i));
      await run.settle();
      executed += 1;
    }
    await run.compareAll(pair[1]);
  });
  await fc.assert(property, {
    numRuns: Math.ceil(commands / COMMANDS_PER_RUN) + 1,
    // When the clock cannot be moved, shrinking to a smaller example takes too long.
    endOnFailure: setup.advance === undefined,
    ...(seed === undefined ? {} : { seed }),
  });
  return executed;
}

/** Programs of one length, so that commands can be counted. A failing one can still shrink: a command may be empty. */
const program = (): fc.Arbitrary<readonly Command[]> =>
  fc
    .array(fc.option(command, { freq: 1_000_000 }), { minLength: COMMANDS_PER_RUN, maxLength: COMMANDS_PER_RUN })
    .map((steps) => steps.filter((step) => step !== null));

function createRun(setup: StoreSetup, clock: TaskStore) {
  const model = createModel(() => clock.now());
  const short_ms = setup.advance ? 1_000 : 40;
  let count = 0;
  let waits = false;

  const lifeOf = { short: short_ms, long: LONG_MS, endless: null };
  const leaseOf = { short: short_ms, long: LONG_MS };
  const leaseTo = (ms: number): TaskRecord['lease'] => ({ worker_id: 'holder', until: clock.now() + ms });

  const drafts: Readonly<Record<Change, (record: TaskRecord) => Partial<TaskRecord>>> = {
    say: () => ({ status_message: `message ${count}`, updated_at: clock.now() }),
    set: ({ variables }) => ({ variables: { ...variables, [`key ${count % 3}`]: count } }),
    ask: ({ status }) => (isTerminal(status) ? {} : { status: 'input_required' }),
    hold: ({ status }) => (isTerminal(status) ? {} : { lease: leaseTo(LONG_MS) }),
    release: () => ({ lease: null }),
    finish: ({ status }) =>
      isTerminal(status) ? {} : { status: 'completed', outcome: { kind: 'result', result: { count } }, lease: null },
  };

  const execute = async (step: Command, store: TaskStore): Promise<void> => {
    count += 1;
    switch (step.act) {
      case 'insert': {
        const twin = step.twin ? model.all().find((record) => !isExpired(record, clock.now())) : undefined;
        const record = aTask({
          ...(twin ? { task_id: twin.task_id } : {}),
          owner_id: twin?.owner_id ?? ownerOf(step.owner),
          request: requestFor(toolOf(step.tool)),
          created_at: clock.now(),
          ttl_ms: lifeOf[step.life],
          lease: step.held ? leaseTo(LONG_MS) : null,
          status_message: `insertion ${count}`,
        });
        // SPEC.md does not say which of two refusals comes first, nor whether two owners can have the same id.
        const quota = twin ? ALL : step.quota;
        deepStrictEqual(await store.insert(record, quota), model.insert(record, quota));
        waits ||= step.life === 'short';
        return;
      }
      case 'get': {
        const { task_id } = pickOf(model, step.pick);
        deepStrictEqual(await store.get(ownerOf(step.owner), task_id), model.get(ownerOf(step.owner), task_id));
        return;
      }
      case 'replace': {
        const current = pickOf(model, step.pick);
        const owner_id = step.foreign ? 'sub:foreign' : current.owner_id;
        const changes = drafts[step.change](current);
        const record = { ...current, ...changes, owner_id, version: current.version + step.step };
        deepStrictEqual(await store.replace(record, { quiet: step.quiet }), model.replace(record));
        return;
      }
      case 'list': {
        const after = step.after === null ? null : pickOf(model, step.after);
        const owner_id = ownerOf(step.owner);
        deepStrictEqual(await store.list(owner_id, after, step.limit), model.list(owner_id, after, step.limit));
        return;
      }
      case 'claim': {
        const tools = step.tools.map(toolOf);
        const claim = { worker_id: `worker ${step.worker}`, tools, lease_ms: leaseOf[step.lease], limit: step.limit };
        const asked_at = clock.now();
        const expected = model.claimable(claim);
        const taken = await claimAll(setup, store, claim, expected);
        model.claim(claim, taken, asked_at);
        deepStrictEqual(taken.length, expected);
        waits ||= step.lease === 'short' && expected > 0;
        return;
      }
      case 'sweep':
        deepStrictEqual(await store.sweep(step.limit), model.sweep(step.limit));
        return;
      case 'pass':
        await setup.advance?.((step.tenths * short_ms) / 10);
    }
  };

  /** When the clock cannot be moved, waits until short TTLs and leases are over: the next command could run before or after. */
  const settle = async (): Promise<void> => {
    if (waits && !setup.advance) await passTime(setup, clock, short_ms);
    waits = false;
  };

  const compareAll = async (store: TaskStore): Promise<void> => {
    for (const { owner_id, task_id } of model.all()) {
      deepStrictEqual(await store.get(owner_id, task_id), model.get(owner_id, task_id));
    }
    for (const owner_id of [0, 1, 2].map(ownerOf)) {
      deepStrictEqual(await store.list(owner_id, null, ALL), model.list(owner_id, null, ALL));
    }
  };

  return { execute, settle, compareAll };
}

const ownerOf = (index: number): string => `sub:owner ${index}`;
const toolOf = (index: number): string => `tool ${index}`;

/** Picks a task of the model, also an expired one. With few tasks it often makes one that does not exist. */
const pickOf = (model: Model, index: number): TaskRecord => model.all().at(-1 - index) ?? aTask();
