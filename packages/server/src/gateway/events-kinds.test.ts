import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { BudgetsConfig } from '#domain/budget';
import { STALLED_AFTER_MS } from '#domain/run';
import { markSilent } from '#services/runs/silence';
import { aBoard, aWorker } from '#testing/attempts';
import { aShippable } from '#testing/git-jobs';
import { aSteeredRun } from '#testing/steered';
import { createWorld, type World } from '#testing/world';
import { catalog, type Tool } from '#tools/catalog';
import { changeEvent } from './change-event.ts';

const GUIDE = join(import.meta.dirname, '../../../../docs/guide/events.md');

// Stands for any input and any answer: which kind a tool names does not depend on them.
const anything: never = new Proxy(() => anything, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => 'anything' : anything),
}) as never;

function kindOf({ owner }: World, tool: Tool): string | null {
  const entity = tool.entity?.(anything, anything, 'someone') ?? null;
  const call = { caller: owner, tool, input: {}, transport: 'rest' } as const;
  const admitted = { call, input: {}, subject: owner.user_id, named: owner.user_id, needed: [], correlation_id: '' };
  return entity === null || tool.event === 'own' ? null : changeEvent(admitted, entity, null).kind;
}

/** The kinds of the events of runs, in the order in which they come when everything happens that can. */
async function kindsOfRuns(world: World): Promise<readonly string[]> {
  const { id: execution_id } = await world.ask('create_execution', { name: 'Fix the roof' });
  const { id: step_id } = await world.ask('create_step', { execution_id, step_name: 'Measure' });
  await world.ask('update_step', { execution_id, step_id, status: 'completed' });
  await world.ask('add_feed_entry', { execution_id, kind: 'message', text: 'Done' });
  for (const silence of [STALLED_AFTER_MS / 2, STALLED_AFTER_MS]) {
    world.time.now += silence;
    await world.store.transaction(markSilent);
  }
  await world.ask('update_execution', { execution_id, status: 'completed' });
  const events = await world.store.reads.events.page({ after: 0, limit: 100 });
  return events.map(({ kind }) => kind);
}

/** The kinds of the events of attempts. */
async function kindsOfAttempts(world: World): Promise<readonly string[]> {
  const { start } = await aBoard(world);
  const worker = await aWorker(world);
  await start();
  const run = await worker.take();
  const approval_id = await worker.log.ask(run, { kind: 'question', question: 'Why?', details: null, options: '[]' });
  await world.ask('respond_approval', { approval_id, answer: 'Because.' });
  const events = await world.store.reads.events.page({ after: 0, limit: 100 });
  return events.map(({ kind }) => kind);
}

/** The kinds of the events of a merge. */
async function kindsOfMerges(world: World): Promise<readonly string[]> {
  const ship = await aShippable(world);
  const asked = world.ask('merge_attempt', { attempt_id: await ship.attempt() });
  await ship.merged(await ship.take());
  await asked;
  const events = await world.store.reads.events.page({ after: 0, limit: 100 });
  return events.map(({ kind }) => kind);
}

/** The kind that tells who looks at a task. */
async function kindsOfPresence(world: World): Promise<readonly string[]> {
  const { project_id } = await world.ask('admin_add_project', { name: 'Watched' });
  const { task_id } = await world.ask('create_task', { project_id, title: 'Seen' });
  await world.ask('show_presence', { task_id });
  const events = await world.store.reads.events.page({ after: 0, limit: 200 });
  return events.map(({ kind }) => kind).filter((kind) => kind.startsWith('presence.'));
}

/** The kinds of the events of messages to an agent and of used-up budgets. */
async function kindsOfSteering(world: World): Promise<readonly string[]> {
  const { tell, hear, run, statuses } = await aSteeredRun(world);
  await tell('Use the new API.');
  await hear();
  await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered']));
  for (const cost_usd of [0.9, 1.1]) {
    await world.ask('update_execution', { execution_id: run.execution_id, usage: { cost_usd } });
  }
  const events = await world.store.reads.events.page({ after: 0, limit: 100 });
  return events.map(({ kind }) => kind);
}

describe('the kinds of events', () => {
  it('are exactly those in the guide', async () => {
    await using world = await createWorld();
    await using steering = await createWorld({ budgets: BudgetsConfig.parse({ run: { cost_usd: 1 } }) });
    await using merging = await createWorld();
    const text = await readFile(GUIDE, 'utf8');
    const [, section = ''] = text.split('\n## Kinds\n');
    const [table = ''] = section.split('\n## ');
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));

    const written = rows.flatMap((row) =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([a-z_.]+)`/g)].map(([, kind]) => kind),
    );
    const changing = catalog.filter(({ effect }) => effect !== 'read');
    const sent = [
      ...changing.flatMap((tool) => kindOf(world, tool) ?? []),
      ...(await kindsOfRuns(world)),
      ...(await kindsOfAttempts(world)),
      ...(await kindsOfMerges(merging)),
      ...(await kindsOfSteering(steering)),
      ...(await kindsOfPresence(world)),
    ];

    expect(written.toSorted()).toEqual([...new Set(sent)].toSorted());
  });

  it('cover every tool that changes something', () => {
    const silent = catalog.filter(({ effect, entity }) => effect !== 'read' && entity === null);

    expect(silent.map(({ full_name }) => full_name)).toEqual([]);
  });

  it('come once for each change, from the gateway or from the service', async () => {
    await using runs = await createWorld();
    await using attempts = await createWorld();
    const created = (kinds: readonly string[]) => kinds.filter((kind) => kind.endsWith('.created'));

    expect(created(await kindsOfRuns(runs))).toEqual(['execution.created', 'step.created']);
    expect(created(await kindsOfAttempts(attempts)).toSorted()).toEqual([
      'approval.created',
      'attempt.created',
      'execution.created',
      'project.created',
      'repo.created',
      'work_item.created',
    ]);
  });
});
