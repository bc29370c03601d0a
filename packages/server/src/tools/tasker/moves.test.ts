import { describe, expect, it } from 'vitest';
import { createTrackerWorld } from '#testing/tracker';

const checker = (...items: object[]) => ({
  nodedc_structured_blocks: { version: 1, blocks: [{ type: 'checker', items }] },
});

describe('tasker_move_issue', () => {
  it('[TSK-23] changes the state, the position, or both, and changes nothing when repeated', async () => {
    await using at = await createTrackerWorld();
    const { robot, states } = at;
    const issue_id = await at.issue(robot, { project_id: at.project_id, name: 'x' });

    await at.ask(robot, 'tasker_move_issue', { issue_id, state_id: states.inreview });
    const moved = await at.read(robot, issue_id);
    await at.ask(robot, 'tasker_move_issue', { issue_id, state_id: states.inreview });
    await at.ask(robot, 'tasker_move_issue', { issue_id, sort_order: 7.5 });
    const sorted = await at.read(robot, issue_id);

    expect(moved).toMatchObject({ state: { id: states.inreview, group: 'started' }, version: 2 });
    expect(sorted).toMatchObject({ state: { id: states.inreview }, sort_order: 7.5, version: 3 });
  });

  it('[TSK-24] refuses a state of another project like an unknown one', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
    const foreign = (await at.statesOf(await at.project('Other'))).inreview;

    const errors = [
      await at.refuse(at.robot, 'tasker_move_issue', { issue_id, state_id: foreign }),
      await at.refuse(at.robot, 'tasker_move_issue', { issue_id, state_id: 'nowhere' }),
      await at.refuse(at.robot, 'tasker_move_issue', { issue_id }),
    ];

    expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'validation_error'));
    expect(errors[0]?.message).toBe(errors[1]?.message);
  });

  it('[TSK-25] completes and cancels only where the grant permits it, also when creating', async () => {
    await using at = await createTrackerWorld();
    const { project_id, states } = at;
    const completer = await at.agent({ projects: [project_id], can_complete: true });
    const canceller = await at.agent({ projects: [project_id], can_cancel: true });
    const issue_id = await at.issue(at.robot, { project_id, name: 'x' });

    const codes = [];
    for (const [caller, slug] of [
      [at.robot, 'done'],
      [at.robot, 'cancelled'],
      [completer, 'cancelled'],
      [canceller, 'done'],
    ] as const) {
      const state_id = states[slug];
      codes.push((await at.refuse(caller, 'tasker_move_issue', { issue_id, state_id })).code);
      codes.push((await at.refuse(caller, 'tasker_create_issue', { project_id, name: 'y', state_id })).code);
    }
    await at.ask(completer, 'tasker_move_issue', { issue_id, state_id: states.done });
    const completed = await at.read(at.robot, issue_id);
    await at.ask(canceller, 'tasker_move_issue', { issue_id, state_id: states.cancelled });

    expect(codes).toEqual(codes.map(() => 'move_not_granted'));
    expect(completed).toMatchObject({ state: { group: 'completed' } });
    expect(await at.read(at.robot, issue_id)).toMatchObject({ state: { group: 'cancelled' } });
  });

  it('refuses completion until every checker item is ticked, where the project requires it', async () => {
    await using at = await createTrackerWorld({ can_complete: true });
    const { robot, states, project_id, world } = at;
    await world.ask('admin_update_project', { project_id, completion_gate: 'checkers' });
    const detail_layout = checker({ id: 'a', text: 'Lint', checked: true }, { id: 'b', text: 'Test' });
    const issue_id = await at.issue(robot, { project_id, name: 'x', detail_layout });

    const blocked = await at.refuse(robot, 'tasker_move_issue', { issue_id, state_id: states.done });
    const creating = { project_id, name: 'y', state_id: states.done, detail_layout };
    const alsoBlocked = await at.refuse(robot, 'tasker_create_issue', creating);
    const tick = { issue_id, action: 'update_checker_item', item_id: 'b', checked: true };
    await at.ask(robot, 'tasker_update_structured_blocks', tick);
    await at.ask(robot, 'tasker_move_issue', { issue_id, state_id: states.done });

    expect(blocked).toMatchObject({
      code: 'completion_blocked',
      details: { open_item_ids: ['b'] },
    });
    // Words of a card in an error could pass for ours.
    expect(JSON.stringify(blocked)).not.toContain('Test');
    expect(alsoBlocked.code).toBe('completion_blocked');
    expect(await at.read(robot, issue_id)).toMatchObject({ state: { group: 'completed' } });
  });

  it('refuses completion as a todo, too', async () => {
    await using at = await createTrackerWorld();
    const { world } = at;
    const list = await world.store.reads.projects.todoList(world.owner.workspace_id, world.owner.user_id);
    const project_id = list?.project_id ?? '';
    await world.ask('admin_update_project', { project_id, completion_gate: 'checkers' });
    const robot = await at.agent({ projects: [project_id] });
    const detail_layout = checker({ id: 'b', text: 'Test' });
    const task_id = await at.issue(robot, { project_id, name: 'x', detail_layout });
    const complete = { user_id: 'me', task_id, completed: true };

    const blocked = await world.refuse('todo_complete_task', complete);
    const tick = { issue_id: task_id, action: 'update_checker_item', item_id: 'b', checked: true };
    await at.ask(robot, 'tasker_update_structured_blocks', tick);

    expect(blocked.code).toBe('completion_blocked');
    expect(await world.ask('todo_complete_task', complete)).toMatchObject({ completed: true });
  });

  it('keeps the time of completion only while the state is a completed one', async () => {
    await using at = await createTrackerWorld();
    const { world, states } = at;
    const list = await world.store.reads.projects.todoList(world.owner.workspace_id, world.owner.user_id);
    const project_id = list?.project_id ?? '';
    const robot = await at.agent({ projects: [project_id], can_complete: true });
    const personal = await at.statesOf(project_id);
    const issue_id = await at.issue(robot, { project_id, name: 'x', state_id: personal.done });
    const isCompleted = async () => {
      const { tasks } = await world.ask('todo_list_tasks', { user_id: 'me' });
      return (tasks as { completed: boolean }[])[0]?.completed;
    };

    const atFirst = await isCompleted();
    await at.ask(robot, 'tasker_move_issue', { issue_id, state_id: personal.todo });
    const reopened = await isCompleted();
    await at.ask(robot, 'tasker_move_issue', { issue_id, state_id: personal.done });

    expect([atFirst, reopened, await isCompleted()]).toEqual([true, false, true]);
    expect(states.done).not.toBe(personal.done);
  });
});
