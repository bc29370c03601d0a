import { expect, it } from 'vitest';
import { aSteeredRun } from '#testing/steered';
import { createWorld } from '#testing/world';
import { eventFrame } from './events-frames.ts';

/** Each kind with the tasks that its events name, as followers get them. */
async function tasksByKind(run: (world: Awaited<ReturnType<typeof createWorld>>) => Promise<string>) {
  await using world = await createWorld();
  const task_id = await run(world);
  const events = await world.store.reads.events.page({ after: 0, limit: 200 });
  const named = events.map((event) => {
    const { kind, task_id: task }: { kind: string; task_id: string | null } = JSON.parse(eventFrame(event).json);
    return [kind, task === task_id ? 'it' : task] as const;
  });
  return new Map(named);
}

it('says of every change of a task, its attempts and their runs which task it is about', async () => {
  const kinds = await tasksByKind(async (world) => {
    const { task_id, tell, caller, run } = await aSteeredRun(world);
    await world.ask('create_step', { execution_id: run.execution_id, step_name: 'Read' }, caller);
    await world.ask('ask_person', { question: 'Which port?', wait_ms: 0 }, caller);
    await tell('Use the other one.');
    await world.ask('update_task', { task_id, title: 'Renamed' });
    await world.ask('show_presence', { task_id });
    return String(task_id);
  });

  const about = ['work_item.created', 'work_item.updated', 'attempt.created', 'execution.created', 'step.created'];
  for (const kind of [...about, 'approval.created', 'message.created', 'presence.updated']) {
    expect([kind, kinds.get(kind)]).toEqual([kind, 'it']);
  }
  expect(kinds.get('project.created')).toBeNull();
});
