import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#testing/world';

const aProject = async (world: World): Promise<string> =>
  (await world.ask('admin_add_project', { name: 'Engine' })).project_id as string;

type Rows = readonly Record<string, unknown>[];

describe('the states and labels of a project', () => {
  const statesOf = async (world: World, project_id: string) =>
    ((await world.ask('admin_list_states', { project_id })).states as Rows).map(({ name, slug }) => [name, slug]);

  it('are renamed, by id or name, and a state keeps the short name that agents call it by', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world);
    const { label_id } = await world.ask('admin_add_label', { project_id, name: 'bug', color: '#D73A4A' });

    await world.ask('admin_update_state', { project_id, state_id: 'REview', name: 'To check' });
    const label = await world.ask('admin_update_label', { project_id, label_id, name: 'fault' });

    expect(await statesOf(world, project_id)).toContainEqual(['To check', 'inreview']);
    expect(label).toEqual({ label_id, name: 'fault' });
    expect((await world.ask('admin_list_labels', { project_id })).labels).toMatchObject([
      { name: 'fault', color: '#d73a4a' },
    ]);
  });

  it('refuse the name of another, and a name that the project does not have', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world);

    const taken = await world.refuse('admin_update_state', { project_id, state_id: 'Todo', name: 'DONE' });
    const own = await world.ask('admin_update_state', { project_id, state_id: 'Todo', name: 'TODO' });
    const none = await world.refuse('admin_remove_label', { project_id, label_id: 'bug' });

    expect([taken.code, none.code]).toEqual(['conflict', 'not_found']);
    expect(own).toMatchObject({ name: 'TODO' });
  });

  it('are removed: a label also from its tasks, a state only without tasks and never as the last of its group', async () => {
    await using world = await createWorld();
    const project_id = await aProject(world);
    const { label_id } = await world.ask('admin_add_label', { project_id, name: 'bug' });
    const { task_id } = await world.ask('create_task', { project_id, title: 'Mend it', status: 'inreview' });
    const labelled = { issue_id: task_id, label_ids: [label_id], mode: 'set', idempotency_key: 'a' };
    await world.ask('tasker_set_issue_labels', labelled);

    const last = await world.refuse('admin_remove_state', { project_id, state_id: 'Done' });
    const full = await world.refuse('admin_remove_state', { project_id, state_id: 'Review' });
    await world.ask('admin_remove_label', { project_id, label_id });
    await world.ask('update_task', { task_id, status: 'inprogress' });
    await world.ask('admin_remove_state', { project_id, state_id: 'Review' });

    expect([last.message, full.message]).toEqual([
      'Done is the only state of the group completed.',
      'Review has 1 task.',
    ]);
    expect(await statesOf(world, project_id)).not.toContainEqual(['Review', 'inreview']);
    const { issue } = await world.ask('tasker_get_issue', { issue_id: task_id });
    expect(issue).toMatchObject({ name: 'Mend it', labels: [] });
  });
});
